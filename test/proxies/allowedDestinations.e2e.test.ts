import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  create,
  errorOf,
  manage,
  post,
  send,
  startProxying,
  stopProxying,
} from '#test/proxies/support/proxies.ts';
import type { Context, Problem } from '#test/proxies/support/proxies.ts';
import { startDestination } from '#test/proxies/support/destination.ts';
import { until } from '#test/support/until.ts';

const allowed = suite<Context>('destinations that a tenant allows');
const setting = 'allowed_destinations';
const elsewhere = 'api.example.com,*.example.org';

allowed.before(async (context) => {
  Object.assign(
    context,
    await startProxying({ environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1,localhost' } }),
  );
});
allowed.after(stopProxying);
allowed.before.each(async (context) => {
  context.destination.reset();
  await allow(context, {});
  await until(async () => (await statusOfPost(context)) === 200);
});

const put = ({ service }: Context, settings: object) =>
  service.call<Problem>('PUT', '/tenants/self', { name: 'mine', settings }, { key: service.keys.management });

async function allow(context: Context, settings: object): Promise<void> {
  const reply = await put(context, settings);
  assert.is(reply.status, 200, JSON.stringify(reply.body));
}

const statusOfPost = async (context: Context, headers: Record<string, string> = {}): Promise<number> =>
  (await post(context, { a: 1 }, headers)).status;
const applicationOf = async ({ service }: Context): Promise<string> =>
  (await service.call<{ id: string }>('GET', '/applications/key', undefined, { key: service.keys.private }))
    .body.id;

allowed(
  'given settings that are no lists of hosts, when they are put, then 400 names them',
  async (context) => {
    for (const [name, value] of [
      [setting, ''],
      [setting, 'https://api.example.com'],
      [setting, 'api.example.com:443'],
      [setting, 'api.example.com/path'],
      [setting, 'a.example.com,,b.example.com'],
      [setting, '*'],
      [setting, 'api.*.com'],
      [`${setting}:mine`, 'api.example.com'],
      [`${setting}:${randomUUID()}:x`, 'api.example.com'],
    ] as const) {
      const reply = await put(context, { [name]: value });
      assert.is(reply.status, 400, value);
      assert.equal(Object.keys(reply.body.errors), [`settings.${name}`]);
    }
  },
);

allowed(
  'given a list of the tenant, when other hosts are called by ephemeral proxies, then 400 and nothing is sent',
  async (context) => {
    assert.is(await statusOfPost(context), 200);
    await allow(context, { [setting]: elsewhere });
    await until(async () => (await statusOfPost(context)) === 400);
    context.destination.reset();
    const refused = errorOf(await post(context, { a: 1 }));
    assert.equal(refused.errors, {
      'BT-PROXY-URL': ["must lead to a host that the tenant's setting allowed_destinations allows"],
    });
    assert.is(context.destination.seen.length, 0);
    await allow(context, { [setting]: `${elsewhere},127.0.0.1` });
    await until(async () => (await statusOfPost(context)) === 200);
  },
);

allowed(
  'given a list of an application, then it bounds its ephemeral proxies, within what the tenant allows',
  async (context) => {
    const id = await applicationOf(context);
    await allow(context, { [`${setting}:${id}`]: elsewhere });
    await until(async () => (await statusOfPost(context)) === 400);
    // Others of the tenant are not bound.
    const made = await context.service.call<{ key: string }>(
      'POST',
      '/applications',
      { name: 'other', type: 'private', permissions: ['token:use'] },
      { key: context.service.keys.management },
    );
    const sent = await send(context, '/proxy', {
      method: 'POST',
      key: made.body.key,
      headers: { 'BT-PROXY-URL': context.destination.url },
    });
    assert.is(sent.status, 200, sent.text);
    await allow(context, { [setting]: elsewhere, [`${setting}:${id}`]: '127.0.0.1' });
    await until(async () => (await statusOfPost(context)) === 400);
    assert.is(await statusOfPost(context), 400);
  },
);

allowed(
  'given lists, when a proxy is made, changed and called, then its destination must be in them',
  async (context) => {
    const { service, destination } = context;
    const proxy = await create(context);
    await allow(context, { [setting]: elsewhere });
    const call = () =>
      send(context, '/proxy', { key: service.keys.private, headers: { 'BT-PROXY-KEY': proxy.key } });
    await until(async () => (await statusOfPost(context)) === 400 && (await call()).status === 400);
    const attributes = { name: 'two', destination_url: destination.url };
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${proxy.id}`],
      ['PATCH', `/${proxy.id}`],
    ] as const) {
      const refused = await manage<Problem>(service, method, path, attributes);
      assert.is(refused.status, 400, `${method} ${JSON.stringify(refused.body)}`);
      assert.equal(Object.keys(refused.body.errors), ['destination_url']);
    }
    const renamed = await manage(service, 'PATCH', `/${proxy.id}`, { name: 'three' });
    assert.ok(renamed.status < 300, String(renamed.status));
    destination.reset();
    const refused = await call();
    assert.is(refused.status, 400, refused.text);
    assert.match(refused.text, /not among the destinations/);
    assert.is(destination.seen.length, 0);
    await allow(context, { [`${setting}:${proxy.id}`]: '127.0.0.1' });
    await until(async () => (await call()).status === 200);
  },
);

allowed(
  'given lists, when code calls, follows a redirect, or names a callback, then other hosts are refused',
  async (context) => {
    const { service, destination } = context;
    const other = await startDestination();
    const port = new URL(other.url).port;
    const code = `module.exports = async (req) => {
    try {
      const answer = await require('node-fetch')(req.args.url);
      return { raw: { status: answer.status } };
    } catch (error) { return { raw: { code: error.code } }; }
  };`;
    const manageReactor = { key: service.keys.management };
    const made = await service.call<{ id: string }>(
      'POST',
      '/reactors',
      { name: 'calls', configuration: {}, code },
      manageReactor,
    );
    assert.is(made.status, 201, JSON.stringify(made.body));
    const react = (body: object) =>
      service.call<Problem & { raw: object }>('POST', `/reactors/${made.body.id}/react`, body);
    const called = async (url: string) => (await react({ args: { url } })).body.raw;
    try {
      assert.equal(await called(destination.url), { status: 200 });
      await allow(context, { [`${setting}:${made.body.id}`]: '127.0.0.1' });
      await until(
        async () => JSON.stringify(await called(`http://localhost:${port}/`)) === '{"code":"EACCES"}',
      );
      assert.equal(await called(destination.url), { status: 200 });
      other.reset();
      destination.answer = (response) => {
        response.writeHead(302, { location: `http://localhost:${port}/` }).end();
      };
      assert.equal(await called(destination.url), { code: 'EACCES' });
      assert.is(other.seen.length, 0);
      await allow(context, { [setting]: elsewhere });
      await until(async () => JSON.stringify(await called(destination.url)) === '{"code":"EACCES"}');
      const refused = await react({ args: {}, callback_url: other.url });
      assert.is(refused.status, 400);
      assert.equal(Object.keys(refused.body.errors), ['callback_url']);
      const webhook = { name: 'all', url: other.url, events: ['token.created'] };
      const unheard = await service.call<Problem>('POST', '/webhooks', webhook, manageReactor);
      assert.is(unheard.status, 400);
      assert.equal(Object.keys(unheard.body.errors), ['url']);
    } finally {
      await other.close();
    }
  },
);

allowed.run();
