import { BasisTheory } from '@basis-theory/node-sdk';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDestination } from '#test/proxies/support/destination.ts';
import type { Destination } from '#test/proxies/support/destination.ts';
import { failureOf } from '#test/sdk/support/failure.ts';
import { clientOf as javascriptClientOf, refusalOf, statusOf } from '#test/sdk/support/javascript.ts';
import type { Client } from '#test/sdk/support/javascript.ts';
import { clientOf as nodeClientOf } from '#test/sdk/support/node.ts';
import { absentId } from '#test/sdk/support/operations.ts';
import { serve } from '#test/sdk/support/served.ts';
import type { Served } from '#test/sdk/support/served.ts';

type Context = Served & {
  destination: Destination;
  node: ReturnType<typeof nodeClientOf>;
  javascript: Client;
  /** With the key of a private application. */
  vault: Client;
};

const sdk = suite<Context>('proxies in both libraries');

sdk.before(async (context) => {
  Object.assign(context, await serve({ HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' }));
  const { service } = context;
  context.destination = await startDestination();
  context.node = nodeClientOf(service.credentials.management, service);
  context.javascript = await javascriptClientOf(service.credentials.management, service);
  context.vault = await javascriptClientOf(service.credentials.private, service);
});
sdk.after(async ({ stop, destination }) => {
  await stop();
  await destination.close();
});

const code = 'module.exports = async (req) => req.args;';
const configuration = { SERVICE_API_KEY: 'key_abcd1234', camelCase: '1' };

sdk(
  'given basis-theory-js, when a proxy is made, read, listed, changed and deleted, then each call answers as it expects',
  async ({ javascript: { proxies, applications }, destination: { url: destinationUrl } }) => {
    const application = await applications.create({
      name: 'lent',
      type: 'private',
      permissions: ['token:create'],
    });
    const made = await proxies.create({
      ...{ name: 'One', destinationUrl, configuration, application, requireAuth: false },
      requestTransform: { code },
    });
    assert.equal(
      [
        made.name,
        made.destinationUrl,
        made.configuration,
        made.applicationId,
        made.requireAuth,
        made.requestTransform,
      ],
      ['One', destinationUrl, configuration, application.id, false, { code }],
    );
    assert.ok(made.key !== '' && made.tenantId !== '' && made.createdAt !== undefined);
    assert.equal(await proxies.retrieve(made.id), made);

    const other = await proxies.create({ name: 'Two', destinationUrl });
    const listed = await proxies.list({ id: [made.id, other.id], size: 1 });
    assert.equal(listed.pagination, { totalItems: 2, pageNumber: 1, pageSize: 1, totalPages: 2 });
    assert.equal(listed.data, [other]);
    assert.equal((await proxies.list({ name: 'on*' })).data, [made]);

    const updated = await proxies.update(made.id, {
      name: 'Changed',
      destinationUrl,
      responseTransform: { code },
    });
    assert.equal([updated.name, updated.key, updated.requireAuth], ['Changed', made.key, true]);
    assert.equal([updated.requestTransform, updated.responseTransform], [undefined, { code }]);
    await proxies.patch(made.id, { configuration: { added: '3' }, application: { id: application.id } });
    const patched = await proxies.retrieve(made.id);
    assert.equal([patched.configuration, patched.applicationId], [{ added: '3' }, application.id]);

    assert.is(await proxies.delete(made.id), undefined);
    assert.is(await statusOf(proxies.retrieve(made.id)), 404);
    const refusal = await refusalOf(proxies.create({ name: '', destinationUrl: 'http://10.0.0.1/' }));
    assert.equal([refusal.status, Object.keys(refusal.data.errors ?? {})], [400, ['name']]);
  },
);

sdk(
  'given node-sdk, when a proxy is made, read, listed, changed and deleted, then each call answers as it expects',
  async ({ node: { proxies }, destination: { url: destinationUrl } }) => {
    const options = { idempotencyKey: 'proxy-once' };
    const requestTransform = { code };
    const create = () =>
      proxies.create({ name: 'Three', destinationUrl, configuration, requestTransform }, options);
    const made = await create();
    const id = made.id ?? '';
    assert.equal(await create(), made);
    assert.equal(
      [made.name, made.destinationUrl, made.configuration, made.requestTransform?.code, made.requireAuth],
      ['Three', destinationUrl, configuration, code, true],
    );
    assert.instance(made.createdAt, Date);
    assert.equal(await proxies.get(id), made);

    const other = await proxies.create({ name: 'Four', destinationUrl });
    const pages = await proxies.list({ id: [id, other.id ?? ''], size: 1 });
    assert.equal(await Array.fromAsync(pages), [other, made]);
    assert.equal((await proxies.list({ name: '*HREE', page: 1, start: '' })).data, [made]);

    const updated = await proxies.update(id, { name: 'Changed', destinationUrl, requireAuth: false });
    assert.equal(
      [updated.name, updated.requireAuth, updated.requestTransform],
      ['Changed', false, undefined],
    );
    await proxies.patch(id, { configuration: { added: '3' }, requireAuth: true });
    const found = await proxies.get(id);
    assert.equal([found.configuration, found.requireAuth, found.key], [{ added: '3' }, true, made.key]);

    await proxies.delete(id);
    assert.instance(await failureOf(proxies.get(id)), BasisTheory.NotFoundError);
    assert.instance(await failureOf(proxies.patch(absentId, {})), BasisTheory.NotFoundError);
    const wrong = await failureOf(proxies.create({ name: 'Five', destinationUrl: 'https://10.0.0.1/' }));
    assert.instance(wrong, BasisTheory.BadRequestError);
  },
);

sdk(
  'given basis-theory-js, when it sends through proxies, then tokens are in the clear at the destination',
  async ({ vault, javascript, destination }) => {
    const number = '4242424242424242';
    const card = await vault.tokens.create({ type: 'card', data: { number } });
    const body = { number: `{{ ${card.id} | json: '$.number' }}` };
    const headers = { 'BT-PROXY-URL': `${destination.url}/api` };
    const answer = (await vault.proxy.post({ path: 'charges', query: { a: '1' }, headers, body })) as unknown;
    const { url, body: received } = destination.last();
    assert.equal([url, JSON.parse(received)], ['/api/charges?a=1', { number }]);
    assert.equal(answer, { received });

    const { key } = await javascript.proxies.create({ name: 'Six', destinationUrl: destination.url });
    const configured = { headers: { 'BT-PROXY-KEY': key } };
    for (const method of ['get', 'put', 'patch', 'delete'] as const) {
      await vault.proxy[method](configured);
      assert.is(destination.last().method, method.toUpperCase());
    }
    await vault.proxy.get({ query: { 'bt-proxy-key': key, own: '1' } });
    assert.is(destination.last().url, '/?own=1');
    const refusal = await refusalOf(vault.proxy.post({ headers, body: { a: '{{ unknown }}' } }));
    assert.is(refusal.status, 400);
    assert.ok('proxy_error' in refusal.data, JSON.stringify(refusal.data));
  },
);

sdk.run();
