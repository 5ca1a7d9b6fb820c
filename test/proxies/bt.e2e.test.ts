import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { card, create, createCard, startProxying, stopProxying } from '#test/proxies/support/proxies.ts';
import type { Context } from '#test/proxies/support/proxies.ts';

const bt = suite<Context>('proxies from the code of reactors');

bt.before(async (context) => {
  Object.assign(context, await startProxying());
});
bt.after(stopProxying);
bt.before.each(({ destination }) => {
  destination.reset();
});

/** What code comes to that is lent the right to use tokens. */
async function run({ service }: Context, code: string, args: unknown): Promise<unknown> {
  const key = service.keys.management;
  const application = { name: 'lent', type: 'private', permissions: ['token:use'] };
  const lent = await service.call<{ id: string }>('POST', '/applications', application, { key });
  const reactor = { name: 'r', configuration: {}, application: { id: lent.body.id }, code };
  const made = await service.call<{ id: string }>('POST', '/reactors', reactor, { key });
  const reply = await service.call<{ raw: unknown }>('POST', `/reactors/${made.body.id}/react`, { args });
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.raw;
}

bt(
  'given a URL, when code sends to it through bt.proxy, then it arrives with the headers of code',
  async (context) => {
    const { destination } = context;
    const raw = await run(
      context,
      `module.exports = async ({ args, bt }) => ({ raw: await bt.proxy.post({
      path: 'sub/path', query: { a: 1 }, body: { card: args.text },
      headers: { 'BT-PROXY-URL': args.url, 'X-Own': 'kept', 'BT-API-KEY': 'ignored' },
    }) })`,
      { url: `${destination.url}/base`, text: 'plain' },
    );
    const { url, method, headers, body } = destination.last();
    assert.equal([method, url, headers['x-own']], ['POST', '/base/sub/path?a=1', 'kept']);
    assert.not.ok('bt-api-key' in headers);
    assert.equal(raw, { received: body });
  },
);

bt(
  'given an expression that code puts together, then it is replaced with the rights that it is lent',
  async (context) => {
    const { destination } = context;
    const id = await createCard(context);
    const code = `module.exports = async ({ args, bt }) => ({ raw: await bt.proxy.put({
    body: { number: '{' + '{ ' + args.id + ' }' + '}' }, headers: { 'BT-PROXY-KEY': args.key },
  }) })`;
    const { key } = await create(context);
    await run(context, code, { id, key });
    assert.equal([destination.last().method, JSON.parse(destination.last().body)], ['PUT', { number: card }]);
  },
);

bt('given an answer of any kind, then code has it: JSON, text, headers, and errors', async (context) => {
  const { destination } = context;
  const url = destination.url;
  const code = (call: string) => `module.exports = async ({ args: url, bt }) => {
    const headers = { 'BT-PROXY-URL': url };
    try { return { raw: await ${call} }; } catch ({ status, data }) { return { raw: { status, data } }; }
  }`;
  destination.answer = (response) => response.setHeader('Content-Type', 'text/plain').end('text');
  assert.is(await run(context, code('bt.proxy.get({ headers })'), url), 'text');
  destination.answer = (response) => response.setHeader('Content-Type', 'application/json').end('no json');
  assert.is(await run(context, code('bt.proxy.delete({ headers })'), url), 'no json');
  destination.answer = (response) => response.setHeader('X-Own', '1').end();
  const withHeaders = await run(
    context,
    code('bt.proxy.post({ headers, includeResponseHeaders: true })'),
    url,
  );
  assert.is((withHeaders as { headers: Record<string, string> }).headers['x-own'], '1');
  destination.answer = (response) => response.writeHead(402).end('declined');
  assert.equal(await run(context, code('bt.proxy.post({ headers })'), url), {
    status: 402,
    data: 'declined',
  });
  destination.answer = (response) => response.end('x'.repeat(6 * 1_048_576));
  const large = (await run(context, code('bt.proxy.get({ headers })'), url)) as { status: number };
  assert.is(large.status, -1);
  const refused = await run(
    context,
    code(`bt.proxy.get({ headers: { 'BT-PROXY-URL': 'http://10.0.0.1/' } })`),
    url,
  );
  assert.is((refused as { status: number }).status, 400);
});

bt('given a transform that calls its own proxy, then it comes to an end', async (context) => {
  const { service } = context;
  const key = service.keys.management;
  const application = { name: 'lent', type: 'private', permissions: ['token:use'] };
  const lent = await service.call<{ id: string }>('POST', '/applications', application, { key });
  const request_transform = {
    code: `module.exports = async ({ args, bt, configuration }) => {
      await bt.proxy.post({ body: {}, headers: { 'BT-PROXY-KEY': configuration.KEY } });
      return { headers: {}, body: null };
    }`,
  };
  const proxy = await create(context, { request_transform, application: { id: lent.body.id } });
  await service.call('PATCH', `/proxies/${proxy.id}`, { configuration: { KEY: proxy.key } }, { key });
  const reply = await service.call('POST', '/proxy', {}, { headers: { 'BT-PROXY-KEY': proxy.key } });
  assert.is(reply.status, 500);
  assert.is(context.destination.seen.length, 0);
});

bt.run();
