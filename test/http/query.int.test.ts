import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { thingRoutes } from '#test/http/support/routes.ts';
import { startService } from '#test/http/support/service.ts';

const test = suite('http: query strings');
const service = await startService(thingRoutes);

const query = async (text: string): Promise<object> => {
  const answered = await service.call('GET', `/things${text}`);
  assert.is(answered.status, 200, answered.text);
  return answered.body;
};
const faults = async (text: string): Promise<object> => {
  const answered = await service.call('GET', `/things${text}`);
  assert.is(answered.status, 400, text);
  return answered.body.errors;
};
const defaults = { page: 1, size: 20 };

test('given nothing, then the defaults', async () => {
  assert.equal(await query(''), defaults);
  assert.equal(await query('?start='), defaults);
  assert.equal(await query('?page=&size='), defaults);
});

test('given page and size, then numbers', async () => {
  assert.equal(await query('?page=3&size=100'), { page: 3, size: 100 });
});

test('given pages that are none, then 400', async () => {
  const page = { page: ['must be a whole number from 1 to 1000000000'] };
  for (const value of ['0', '-1', '1.5', 'x', '1e3', '99999999999999999999', '0x1', '%201']) {
    assert.equal(await faults(`?page=${value}`), page, value);
  }
  assert.equal(await faults('?size=101'), { size: ['must be a whole number from 1 to 100'] });
  assert.equal(await faults('?page=1&page=2'), { page: ['must be given once'] });
});

test('given an id once or several times, then an array', async () => {
  assert.equal(await query('?id=a'), { id: ['a'], ...defaults });
  assert.equal(await query('?id=a&id=b%20c&id=d+e'), { id: ['a', 'b c', 'd e'], ...defaults });
  assert.equal(await query(`?${'id=a&'.repeat(1_500)}id=b`), {
    id: [...Array.from({ length: 1_500 }, () => 'a'), 'b'],
    ...defaults,
  });
});

test('given a boolean, then true or false', async () => {
  assert.equal(await query('?active=true'), { active: true, ...defaults });
  assert.equal(await faults('?active=yes'), { active: ['must be true or false'] });
});

test('given metadata in its three spellings, then a map; of equal keys the first counts', async () => {
  const metadata = { metadata: { color: 'light blue', 'a.b': 'x' }, ...defaults };
  assert.equal(await query('?metadata.color=light+blue&metadata.a.b=x&metadata.color=red'), metadata);
  assert.equal(await query('?metadata[color]=light%20blue&metadata%5Ba.b%5D=x'), metadata);
  assert.equal(await query(`?metadata=${encodeURIComponent('{"color":"light blue","a.b":"x"}')}`), metadata);
});

test('given metadata that is no map of strings, then 400', async () => {
  assert.equal(await faults('?metadata=red'), { metadata: ['must be given as metadata.<key>=<value>'] });
  assert.equal(await faults('?metadata={"a":1}'), { 'metadata.a': ['must be a string'] });
  assert.equal(await faults(`?metadata=${'['.repeat(5_000)}`), {
    metadata: ['must be given as metadata.<key>=<value>'],
  });
});

test('given prototype names, then they are names', async () => {
  const { metadata } = (await query('?metadata.__proto__=x')) as {
    metadata: object;
  };
  assert.equal(Object.entries(metadata), [['__proto__', 'x']]);
  assert.equal(Object.keys(await faults('?__proto__=y&constructor=z')), ['__proto__', 'constructor']);
});

test('given a parameter of a list that is not known, then 400 names it', async () => {
  const unknown = ['is not a parameter that is known here'];
  assert.equal(await faults('?other=1&id[]=x&metadataa=y'), {
    other: unknown,
    'id[]': unknown,
    metadataa: unknown,
  });
  assert.equal(await query('?'), defaults);
});

test('given a NUL or a lone surrogate, then 400', async () => {
  assert.equal(await faults('?name=a%00'), { name: ['must not hold a NUL character'] });
  assert.equal(await faults('?other=a%00'), {
    other: ['must not hold a NUL character', 'is not a parameter that is known here'],
  });
  assert.equal(await faults('?a%00b=1'), { query: ['must not hold a NUL character'] });
  assert.equal(await faults('?metadata={"a":"%5Cu0000"}'), { metadata: ['must not hold a NUL character'] });
  assert.equal(await faults('?name=%ed%a0%80'), { query: ['must be percent-encoded UTF-8'] });
});

test('given malformed percent-encoding, then 400', async () => {
  assert.equal(await faults('?name=%zz'), { query: ['must be percent-encoded UTF-8'] });
  assert.equal(await faults('?name=100%'), { query: ['must be percent-encoded UTF-8'] });
});

test.after(() => service.close());
test.run();
