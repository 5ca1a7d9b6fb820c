import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LruCache } from '#expressions/cache.ts';
import { parseExpression } from '#expressions/index.ts';

const caches = suite('expression cache');

caches('given more than fits, when set, then what was used longest ago is gone', () => {
  const cache = new LruCache<number>(6);
  cache.set('aa', 1);
  cache.set('bb', 2);
  cache.set('cc', 3);
  assert.is(cache.get('aa'), 1);
  cache.set('dd', 4);
  assert.is(cache.get('bb'), undefined);
  assert.is(cache.get('aa'), 1);
  assert.is(cache.size, 6);
});

caches('given a key that is set again or too long, when set, then the size stays right', () => {
  const cache = new LruCache<number>(4);
  cache.set('aa', 1);
  cache.set('aa', 2);
  assert.is(cache.size, 2);
  assert.is(cache.get('aa'), 2);
  cache.set('aaaaa', 3);
  assert.is(cache.get('aaaaa'), undefined);
  assert.is(cache.size, 2);
});

caches('given the same text twice, when parsed, then the expression is the same object', () => {
  assert.is(parseExpression('{{ data.same }}'), parseExpression('{{ data.same }}'));
});

caches.run();
