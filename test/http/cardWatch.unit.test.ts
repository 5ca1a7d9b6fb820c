import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCardWatch } from '#http/request/cardWatch.ts';
import type { CardWatch, CardWatchSettings } from '#http/request/cardWatch.ts';
import { cardNumbersIn } from '#http/request/cardNumbers.ts';

const watching = suite('clients that try card numbers');

type Watched = CardWatch & { told: string[]; logged: unknown[]; go(milliseconds: number): void };

function watched(settings: CardWatchSettings = {}): Watched {
  const told: string[] = [];
  const logged: unknown[] = [];
  let time = 0;
  const metrics = {
    cardNumbersSeen: (caller: string, count: number) => {
      told.push(`${caller} ${count}`);
    },
    manyCardNumbers: (caller: string) => {
      told.push(`${caller} alarm`);
    },
  };
  const logger = { warn: (...parts: unknown[]) => void logged.push(parts) };
  const watch = createCardWatch(metrics, logger, { many: 3, window: 1_000, now: () => time, ...settings });
  return { ...watch, told, logged, go: (milliseconds) => void (time += milliseconds) };
}
const numbers = (count: number, bin = '40451901'): string[] =>
  Array.from({ length: count }, (_, index) => `${bin}${String(index).padStart(8, '0')}`);

watching(
  'given many numbers of one issuer from one client, then there is one alarm, without a number',
  () => {
    const { see, told, logged } = watched();
    see('192.0.2.1', 'public', numbers(5));
    assert.equal(told, ['public 1', 'public 1', 'public 1', 'public alarm']);
    assert.is(logged.length, 1);
    assert.match(JSON.stringify(logged), '192.0.2.1');
    assert.not.match(JSON.stringify(logged), '40451901');
  },
);

watching('given a number again, other issuers, clients and kinds of keys, then there is none', () => {
  const { see, told } = watched();
  see('192.0.2.1', 'session', [...numbers(2), ...numbers(2)]);
  see('192.0.2.1', 'public', numbers(2, '40451902'));
  see('192.0.2.2', 'public', numbers(2));
  see('192.0.2.1', 'private', numbers(2));
  assert.equal(
    told.filter((one) => one.endsWith('alarm')),
    [],
  );
  assert.equal(told.filter((one) => one === 'private 1').length, 2);
});

watching('given a window that ended, then counting begins anew', () => {
  const { see, told, go } = watched();
  see('192.0.2.1', 'public', numbers(2));
  go(1_000);
  see('192.0.2.1', 'public', numbers(2));
  assert.is(told.includes('public alarm'), false);
});

watching(
  'given a network of one client, and short numbers, then it is one, and six digits name the issuer',
  () => {
    const { see, told } = watched();
    const amex = ['378282246310005', '378282346310004', '378282446310003'];
    amex.forEach((number, index) => {
      see(`2001:db8::${index}`, 'public', [number]);
    });
    assert.ok(told.includes('public alarm'));
  },
);

watching('given more clients than are remembered, then the first are forgotten', () => {
  const { see, told } = watched({ most: 2 });
  see('192.0.2.1', 'public', numbers(2));
  see('192.0.2.2', 'public', numbers(1));
  see('192.0.2.3', 'public', numbers(1));
  see('192.0.2.1', 'public', numbers(2));
  assert.is(told.includes('public alarm'), false);
});

watching('given requests of all kinds, then their card numbers are found', () => {
  const found = cardNumbersIn([
    { type: 'card', data: { number: '4242424242424242' } },
    { data: { number: '5555555555554444' } },
    { type: 'card_number', data: '378282246310005' },
    { type: 'token', data: { number: '4012888888881881' } },
    { type: 'card', data: null },
    { metadata: { a: 'b' } },
  ]);
  assert.equal(found, ['4242424242424242', '5555555555554444', '378282246310005']);
});

watching.run();
