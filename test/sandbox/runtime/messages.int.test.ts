import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startRuntime } from '#test/sandbox/runtime/support/runtime.ts';
import type { Outcome } from '#test/sandbox/runtime/support/runtime.ts';

const test = suite('runtime: headers of messages');

const headers = { 'content-type': 'application/json', 'X-Date': 'now', 'x-many': ['1', '2'] };

async function outcome(body: string, args: unknown = { headers }, returns: 'message' | 'result' = 'message') {
  const runtime = startRuntime(returns === 'message' ? { returns } : {});
  try {
    const loaded = await runtime.load(`module.exports = async ({ args }) => { ${body} }`);
    if (loaded !== 'ready') throw new Error(loaded);
    return await runtime.invoke(args, true);
  } finally {
    runtime.close();
  }
}
const bodyOf = async (body: string, args?: unknown): Promise<unknown> => {
  const ended: Outcome = await outcome(`return { body: await (async () => { ${body} })() }`, args);
  return ended.kind === 'returned' ? ended.result.body : ended;
};
const headersOf = async (expression: string): Promise<unknown> => {
  const ended = await outcome(`const { headers } = args; return { headers: ${expression} }`);
  return ended.kind === 'returned' ? ended.result.headers : ended;
};

test('given a name in another spelling, then it is found, and listed as it was sent', async () => {
  const seen = await bodyOf(`
    const { headers } = args;
    const { 'CONTENT-TYPE': type } = headers;
    return [headers['Content-Type'], headers['x-date'], headers['X-MANY'], type, 'CONTENT-type' in headers, 'x-other' in headers,
      headers['x-other'] === undefined, headers.hasOwnProperty('x-date'), Object.hasOwn(headers, 'X-DATE'), Object.keys(headers),
      Object.keys({ ...headers }), JSON.stringify(headers), Object.entries(headers).length, String(headers), typeof headers.toString]`);
  assert.equal(seen, [
    ...['application/json', 'now', ['1', '2'], 'application/json', true, false, true, true, true],
    ...[
      Object.keys(headers),
      Object.keys(headers),
      JSON.stringify(headers),
      3,
      '[object Object]',
      'function',
    ],
  ]);
});

test('given a header that is set or deleted in another spelling, then it is the one that was there', async () => {
  const seen = await bodyOf(`
    const { headers } = args;
    headers['Content-Type'] = 'text/plain';
    delete headers['x-DATE'];
    headers['New'] = '1';
    headers['new'] = '2';
    Object.assign(headers, { 'X-Many': '3' });
    Object.defineProperty(headers, 'NEW', { value: '4', enumerable: true, configurable: true, writable: true });
    return headers`);
  assert.equal(seen, { 'content-type': 'text/plain', 'x-many': '3', New: '4' });
});

test('given a header that is undefined, then JSON tells that it is taken away, in whatever spelling', async () => {
  assert.equal(await headersOf(`{ ...headers, 'Content-Type': undefined, n: 1 }`), {
    ...headers,
    'Content-Type': null,
    n: 1,
  });
  assert.equal(await headersOf('headers'), headers);
  assert.equal(await headersOf('undefined'), undefined);
  assert.equal(await headersOf('["a"]'), ['a']);
  assert.equal(await headersOf('() => 1'), undefined);
});

test('given names that objects have, then they are headers like others, and objects stay whole', async () => {
  const args = JSON.parse('{"headers":{"__proto__":"p","Constructor":"c","hasOwnProperty":"h"}}') as unknown;
  const seen = await bodyOf(
    `
    const { headers } = args;
    return [JSON.stringify({ ...headers }), headers['__proto__'], headers['CONSTRUCTOR'], typeof headers.constructor,
      Object.getPrototypeOf(headers) === Object.prototype, {}.p]`,
    args,
  );
  assert.equal(seen, [
    JSON.stringify((args as { headers: object }).headers),
    'p',
    'c',
    'function',
    true,
    null,
  ]);
});

test('given headers that code froze, or a language that it bent, then they are read all the same', async () => {
  const seen = await bodyOf(`
    const { headers } = args;
    Object.freeze(headers);
    String.prototype.toLowerCase = Reflect.get = Reflect.has = Reflect.ownKeys = Object.keys = () => 'bent';
    return [headers['Content-Type'], 'X-DATE' in headers, Object.hasOwn(headers, 'X-DATE')]`);
  assert.equal(seen, ['application/json', true, false]);
});

test('given args that are no message, then they come as they are', async () => {
  assert.equal(await bodyOf('return args', [1]), [1]);
  assert.equal(await bodyOf('return args', { headers: 'none' }), { headers: 'none' });
  assert.equal(await bodyOf('return args', null), null);
});

test('given raw, then code of a proxy and of a reactor may return a message in it', async () => {
  const raw = `return { raw: { headers: { ...args.headers, 'X-Date': undefined }, body: 1 } }`;
  const message = { headers: { ...headers, 'X-Date': null }, body: 1, others: {} };
  for (const returns of ['message', 'result'] as const) {
    const expected = { kind: 'returned', result: { raw: message, others: {} } };
    assert.equal(await outcome(raw, { headers }, returns), expected);
  }
});

test('given members beside a message, then they are told, so that they can be refused', async () => {
  const returned = `{ body: 1, headers: undefined, text: 'a', number: 2, nothing: null, undefined, [Symbol.iterator]: 3 }`;
  const others = { text: 'a', number: null };
  for (const [returns, beside] of [
    ['message', {}],
    ['result', { body: null }],
  ] as const) {
    assert.equal(await outcome(`return { raw: ${returned} }`, { headers }, returns), {
      kind: 'returned',
      result: { raw: { body: 1, others }, others: {} },
    });
    const ended = await outcome(`return ${returned}`, { headers }, returns);
    const { others: told } = (ended as { result: { others?: unknown } }).result;
    assert.equal(told, { ...beside, ...others });
  }
});

test('given a call of a reactor that is none by a proxy, then its args are its own, and raw and tokenize all that is taken', async () => {
  const runtime = startRuntime();
  await runtime.load(
    `module.exports = ({ args }) => ({ raw: [args.headers['X-DATE'] ?? null, args.headers], body: 1, other: 2 })`,
  );
  assert.equal(await runtime.invoke({ headers }), { kind: 'returned', result: { raw: [null, headers] } });
  runtime.close();
});

test.run();
