import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create, errorOf, json, send, startProxying, stopProxying } from '#test/proxies/support/proxies.ts';
import type { Context } from '#test/proxies/support/proxies.ts';
import { through } from '#test/proxies/support/through.ts';

const bodies = suite<Context>('bodies that transforms are given');

bodies.before(async (context) => {
  Object.assign(context, await startProxying());
});
bodies.after(stopProxying);
bodies.before.each(({ destination }) => {
  destination.reset();
});

const identity = 'module.exports = ({ args: { headers, body } }) => ({ headers, body })';
const kind = 'module.exports = ({ args }) => ({ headers: {}, body: { is: typeof args.body } })';

bodies(
  'given numbers that a double would change, when a request is to be transformed, then it is refused by their paths',
  async (context) => {
    const text =
      '{"a":12345678901234567890,"b":[{"c":0.1}, 1e400],"d":"12345678901234567890","e":9007199254740991}';
    const reply = await through(context, { request: identity }, text);
    assert.is(reply.status, 400);
    assert.equal(Object.keys(errorOf(reply).errors), ['body.a', 'body.b[1]']);
    assert.match(errorOf(reply).detail, 'send it as a string');
    const { key } = await create(context, { require_auth: false, request_transform: { code: identity } });
    const init = { method: 'POST', headers: { ...json, 'BT-PROXY-KEY': key } };
    assert.is((await send(context, '/proxy', { ...init, body: text })).status, 400);
    assert.is(context.destination.seen.length, 0);
    const exact = '{"d":"12345678901234567890","e":9007199254740991}';
    assert.is((await send(context, '/proxy', { ...init, body: exact })).status, 200);
    assert.is(context.destination.last().body, exact);
  },
);

bodies(
  'given numbers that a double would change, when an answer is to be transformed, then code has its text',
  async (context) => {
    const text = '{ "id": 12345678901234567890 }';
    context.destination.answer = (response) => response.writeHead(200, json).end(text);
    assert.is((await through(context, { response: identity })).text, text);
    assert.is((await through(context, { response: kind })).text, '{"is":"string"}');
    context.destination.answer = (response) => response.writeHead(200, json).end('{"id": 1}');
    assert.is((await through(context, { response: kind })).text, '{"is":"object"}');
  },
);

bodies(
  'given bodies of any JSON, when code hands them back, then they arrive as they are',
  async (context) => {
    for (const body of ['"hi"', '"12"', '"\\u00fc"', 'no json', '12', 'false', '"{}"', '[]']) {
      await through(context, { request: identity }, body);
      assert.is(context.destination.last().body, body);
      context.destination.answer = (response) => response.writeHead(200, json).end(body);
      assert.is((await through(context, { response: identity })).text, body);
      context.destination.reset();
    }
  },
);

bodies('given code that makes a text, then that is sent as it is', async (context) => {
  const upper = 'module.exports = ({ args }) => ({ headers: args.headers, body: `{"was":"${args.body}"}` })';
  await through(context, { request: upper }, '"hi"');
  assert.is(context.destination.last().body, '{"was":"hi"}');
  const plain = `module.exports = ({ args }) => ({ headers: { 'content-type': 'text/plain' }, body: args.body })`;
  await through(context, { request: plain }, '"hi"');
  assert.is(context.destination.last().body, 'hi');
});

bodies.run();
