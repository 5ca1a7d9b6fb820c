import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { errorOf, startProxying, stopProxying } from '#test/proxies/support/proxies.ts';
import type { Context } from '#test/proxies/support/proxies.ts';
import { through } from '#test/proxies/support/through.ts';

const returned = suite<Context>('proxies: what a transform returns besides its message');

returned.before(async (context) => {
  Object.assign(context, await startProxying());
});
returned.after(stopProxying);
returned.before.each(({ destination }) => {
  destination.reset();
});

type Made = { id: string };

async function make({ service }: Context, path: string, body: object): Promise<string> {
  const made = await service.call<Made>('POST', path, body, { key: service.keys.management });
  assert.is(made.status, 201, JSON.stringify(made.body));
  return made.body.id;
}

returned('given what was given, and what is undefined, then it may be returned', async (context) => {
  const { destination } = context;
  for (const code of [
    '({ args }) => args',
    '({ args }) => ({ ...args, body: { ...args.body, b: 2 } })',
    '() => ({ raw: { body: { b: 2 } }, body: undefined })',
    '() => ({ raw: { body: { b: 2 }, status: undefined }, headers: undefined, body: undefined })',
    '() => ({ raw: undefined, body: { b: 2 }, tokenize: undefined })',
    '({ args }) => ({ raw: { ...args } })',
    '() => ({ body: { b: 2 }, tokenize: null })',
  ]) {
    for (const side of ['request', 'response']) {
      destination.answer = (response) =>
        response.setHeader('Content-Type', 'application/json').end('{"b":2}');
      const reply = await through(context, { [side]: `module.exports = ${code}` });
      assert.is(reply.status, 200, `${side} ${code} ${reply.text}`);
    }
  }
});

returned(
  'given members that nothing is done with, then 500 names them, and nothing is sent',
  async (context) => {
    const { destination } = context;
    for (const [code, name] of [
      ['() => ({ body: 1, statusCode: 201 })', 'statusCode'],
      ['() => ({ body: 1, tokenize: { a: 1 } })', 'tokenize'],
      ['({ args }) => ({ ...args, path: "/other" })', 'path'],
      ['({ args }) => ({ ...args, method: "PUT" })', 'method'],
      ['({ args }) => ({ ...args, query: "?a=b" })', 'query'],
      ['() => ({ raw: { body: 1, statusCode: 201 } })', 'statusCode'],
    ] as const) {
      const reply = await through(context, { request: `module.exports = ${code}` });
      const [sentence = ''] = errorOf(reply).errors['error'] ?? [];
      assert.is(reply.status, 500, `${code} ${reply.text}`);
      assert.match(sentence, `'${name}'`);
    }
    assert.is(destination.seen.length, 0);
    const late = await through(context, { response: 'module.exports = () => ({ body: 1, status: 201 })' });
    assert.equal([late.status, late.headers.get('bt-proxy-destination-status')], [500, '200']);
  },
);

returned(
  'given a reactor that wants something tokenized, then 500 says how that is done',
  async (context) => {
    const { destination } = context;
    const code = 'module.exports = ({ args }) => ({ raw: { body: 1 }, tokenize: { card: "4242" } })';
    const id = await make(context, '/reactors', { name: 'r', code });
    for (const side of ['request', 'response']) {
      const reply = await through(context, { [`${side}_reactor_id`]: id });
      assert.is(reply.status, 500, reply.text);
      assert.match(errorOf(reply).errors['error']?.[0] ?? '', /'tokenize'.*bt\.tokenize/);
    }
    assert.is(destination.seen.length, 1);
  },
);

returned('given headers that begin with BT-, then none leaves, and none is overridden', async (context) => {
  const { service, destination } = context;
  const forged = `{ 'BT-API-KEY': 'k', 'bt-trace-id': 't', 'Bt-Own': 'o', 'BT-Proxy-Destination-Status': '999', 'Holdfast-Stale': 'true', 'X-Own': 'x' }`;
  const code = `module.exports = ({ args }) => ({ headers: { ...args.headers, ...${forged} }, body: args.body })`;
  const reply = await through(context, { request: code, response: code });
  assert.is(reply.status, 200);
  const named = (headers: Iterable<string>): string[] =>
    [...headers].filter((name) => /^(bt-|holdfast-|x-own)/i.test(name)).sort();
  assert.equal(named(Object.keys(destination.last().headers)), ['holdfast-stale', 'x-own']);
  assert.equal(named(reply.headers.keys()), ['bt-proxy-destination-status', 'bt-trace-id', 'x-own']);
  assert.is(reply.headers.get('bt-proxy-destination-status'), '200');
  assert.is.not(reply.headers.get('bt-trace-id'), 't');
  const custom = `const { CustomHttpResponseError } = require('@basis-theory/basis-theory-reactor-formulas-sdk-js');
module.exports = () => { throw new CustomHttpResponseError({ status: 200, headers: ${forged}, body: {} }); }`;
  const composed = await through(context, { request: custom });
  assert.equal(named(composed.headers.keys()), ['bt-trace-id', 'x-own']);
  const reactor = await make(context, '/reactors', { name: 'r', code: custom });
  const reacted = await service.call('POST', `/reactors/${reactor}/react`, { args: {} });
  assert.equal(named(reacted.headers.keys()), ['bt-trace-id', 'x-own']);
});

returned(
  'given tokens of a request transform, when what comes after it fails, then the error names them',
  async (context) => {
    const { service, destination } = context;
    const application = { name: 'lent', type: 'private', permissions: ['token:create'] };
    const lent = { application: { id: await make(context, '/applications', application) } };
    const tokenizes = `module.exports = async ({ args, bt }) => ({ body: await bt.tokenize({ card: 'x' }) })`;
    const fails = 'module.exports = () => { throw new Error("no"); }';
    const gone = await make(context, '/reactors', { name: 'r', code: fails });
    const expectNamed = async (attributes: object, count: number, status: number): Promise<void> => {
      const reply = await through(context, { request: tokenizes, ...lent, ...attributes });
      const { tokens = [] } = errorOf(reply).errors;
      assert.equal([reply.status, new Set(tokens).size], [status, count], reply.text);
      for (const id of tokens) assert.is((await service.call('GET', `/tokens/${id}`)).status, 200);
    };
    await expectNamed({ response: fails }, 1, 500);
    const both = `module.exports = async ({ bt }) => { await bt.tokenize('y'); throw new Error('no'); }`;
    await expectNamed({ response: both }, 2, 500);
    await expectNamed({ response_reactor_id: gone }, 1, 500);
    destination.answer = (response) => response.destroy();
    await expectNamed({}, 1, 502);
    destination.answer = (response) => response.end(Buffer.from([0xff, 0xfe]));
    await expectNamed({ response: 'module.exports = ({ args }) => args' }, 1, 502);
  },
);

returned.run();
