import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { errorOf, startProxying, stopProxying } from '#test/proxies/support/proxies.ts';
import type { Context } from '#test/proxies/support/proxies.ts';
import { through } from '#test/proxies/support/through.ts';

const transforms = suite<Context>('transforms of proxies that fail');

transforms.before(async (context) => {
  Object.assign(context, await startProxying({ environment: { HOLDFAST_REACTOR_TIMEOUT: '1s' } }));
});
transforms.after(stopProxying);
transforms.before.each(({ destination }) => {
  destination.reset();
});

transforms(
  'given errors of transforms, then they are wrapped, but for what code made itself',
  async (context) => {
    const { destination } = context;
    const thrown = (what: string): string =>
      `const errors = require('@basis-theory/basis-theory-reactor-formulas-sdk-js'); module.exports = async () => { throw ${what}; }`;
    const authentication = await through(context, {
      request: thrown(`new errors.AuthenticationError('no key')`),
    });
    const { status, detail, errors } = errorOf(authentication);
    assert.equal(
      [authentication.status, status, detail, errors],
      [401, 401, 'Authentication Failed', { error: ['no key'] }],
    );
    const custom = `new errors.CustomHttpResponseError({ status: 418, headers: { 'X-Own': '1' }, body: { mine: true } })`;
    const own = await through(context, { request: thrown(custom) });
    assert.equal([own.status, own.headers.get('x-own'), own.text], [418, '1', '{"mine":true}']);
    assert.is(destination.seen.length, 0);
    const late = await through(context, { response: thrown(custom) });
    assert.equal([late.status, late.headers.get('bt-proxy-destination-status')], [418, '200']);
    assert.is(errorOf(await through(context, { request: thrown(`new Error('any')`) })).status, 500);
  },
);

transforms(
  'given transforms that loop, return wrong shapes, or are no code, then nothing is sent',
  async (context) => {
    const { destination } = context;
    for (const [request, status] of [
      ['module.exports = () => { for (;;); }', 500],
      ['module.exports = () => new Promise(() => {})', 500],
      ['not code', 422],
      ['module.exports = 1', 422],
      ['module.exports = () => undefined', 500],
      ['module.exports = () => "text"', 500],
      ['module.exports = () => ({ raw: 1 })', 500],
      ['module.exports = () => ({ headers: "x: y", body: 1 })', 500],
      ['module.exports = () => ({ headers: [["a", "b"]], body: 1 })', 500],
      ['module.exports = () => ({ headers: { "a b": "c" }, body: 1 })', 500],
      ['module.exports = () => ({ headers: { a: {} }, body: 1 })', 500],
      ['module.exports = () => ({ headers: { a: "b\\r\\nc: d" }, body: 1 })', 500],
      ['module.exports = () => ({ headers: { a: "b".repeat(20000) }, body: 1 })', 500],
      ['module.exports = () => ({ body: "x".repeat(6 * 1024 * 1024) })', 500],
    ] as const) {
      const reply = await through(context, { request });
      assert.equal([reply.status, errorOf(reply).status], [status, status], request);
    }
    assert.is(destination.seen.length, 0);
  },
);

transforms('given a megabyte, then a transform takes it, and not a byte more', async (context) => {
  const { destination } = context;
  const most = 1_048_576;
  const code = 'module.exports = ({ args }) => ({ body: String(args.body.length) })';
  const text = { 'Content-Type': 'text/plain' };
  assert.is((await through(context, { request: code }, 'x'.repeat(most), text)).status, 200);
  assert.is(destination.last().body, String(most));
  assert.is((await through(context, { request: code }, 'x'.repeat(most + 1), text)).status, 413);
  let length = most;
  destination.answer = (response) => response.end('x'.repeat(length));
  assert.is((await through(context, { response: code })).text, String(most));
  length += 1;
  const reply = await through(context, { response: code });
  assert.equal([reply.status, errorOf(reply).status], [502, 502]);
  assert.is(reply.headers.get('bt-proxy-destination-status'), '200');
});

transforms(
  'given JSON that is nested without end, then a transform sees text, and nothing breaks',
  async (context) => {
    const { destination } = context;
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const code = 'module.exports = ({ args }) => ({ body: typeof args.body })';
    assert.is((await through(context, { request: code }, deep)).status, 200);
    assert.is(destination.last().body, 'string');
    destination.answer = (response) => response.setHeader('Content-Type', 'application/json').end(deep);
    assert.is((await through(context, { response: code })).text, 'string');
  },
);

transforms(
  'given a transform that fails after it made tokens, then its answer names them',
  async (context) => {
    const { service } = context;
    const application = { name: 'lent', type: 'private', permissions: ['token:create'] };
    const { body: lent } = await service.call<{ id: string }>('POST', '/applications', application, {
      key: service.keys.management,
    });
    const failing = (end: string): string => `
const errors = require('@basis-theory/basis-theory-reactor-formulas-sdk-js');
module.exports = async ({ bt }) => {
  const made = await bt.tokenize({ plain: 'a', none: null, list: [{ whole: { type: 'token', data: { id: 'not it' } } }] });
  const one = await bt.tokens.create({ type: 'token', data: 'b' });
  const ids = [made.plain, made.list[0].whole.id, one.id];
  ${end}
}`;
    const attributes = { application: { id: lent.id } };
    for (const [end, status] of [
      ['throw new Error(ids.join())', 500],
      ['throw new errors.BadRequestError({ error: [ids.join()] })', 400],
      ['return { raw: {}, body: ids }', 500],
      ['for (;;);', 500],
    ] as const) {
      for (const side of ['request', 'response']) {
        const reply = await through(context, { [side]: failing(end), ...attributes });
        assert.is(reply.status, status, reply.text);
        const { error, tokens = [] } = errorOf(reply).errors;
        assert.is(new Set(tokens).size, 3, reply.text);
        if (end.includes('ids.join()')) assert.is(error?.[0], tokens.join());
        for (const id of tokens) assert.is((await service.call('GET', `/tokens/${id}`)).status, 200);
      }
    }
    const own = 'throw new errors.CustomHttpResponseError({ status: 418, body: { mine: ids.length } })';
    const composed = await through(context, { request: failing(own), ...attributes });
    assert.equal([composed.status, composed.text], [418, '{"mine":3}']);
    const without = await through(context, { request: 'module.exports = () => 1', ...attributes });
    assert.equal(Object.keys(errorOf(without).errors), ['error']);
  },
);

transforms.run();
