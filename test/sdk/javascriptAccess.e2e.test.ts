import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientOf, statusOf } from '#test/sdk/support/javascript.ts';
import type { Context } from '#test/sdk/support/javascript.ts';
import { absentId } from '#test/sdk/support/operations.ts';
import { serve } from '#test/sdk/support/served.ts';
import { until } from '#test/support/until.ts';

const sdk = suite<Context>('basis-theory-js: access and audit');

sdk.before(async (context) => {
  Object.assign(context, await serve());
  const { service } = context;
  context.vault = await clientOf(service.credentials.private, service);
  context.management = await clientOf(service.credentials.management, service);
});

sdk.after(({ stop }) => stop());

sdk('given an application type, then its permissions are listed', async ({ management }) => {
  const all = await management.permissions.list();
  const ofPublic = await management.permissions.list({ applicationType: 'public' });
  assert.ok(all.length > ofPublic.length);
  assert.equal(
    ofPublic.map(({ type }) => type),
    ['token:create', 'token:update'],
  );
});

sdk('given templates, then they are listed', async ({ vault }) => {
  const templates = await vault.applicationTemplates.list();
  const [first] = templates as unknown as { id: string; applicationType: string; isStarter: boolean }[];
  assert.is(first?.applicationType, 'public');
  assert.is(first?.isStarter, true);
});

sdk('given a session, when it is authorized, then its key works as one', async ({ vault, service }) => {
  const token = await vault.tokens.create({
    type: 'token',
    data: 'secret',
    mask: '{{ data | reveal_last: 2 }}',
  });
  const frontend = await clientOf(service.credentials.public, service);
  const { sessionKey, nonce, expiresAt } = await frontend.sessions.create();
  assert.ok(Date.parse(expiresAt) > Date.now());
  assert.is(await statusOf((await clientOf(sessionKey, service)).tokens.retrieve(token.id)), 401);
  await vault.sessions.authorize({ nonce, permissions: ['token:read'] });
  const browser = await clientOf(sessionKey, service);
  assert.is((await browser.tokens.retrieve(token.id)).data, 'XXXXet');
  assert.is(await statusOf(vault.sessions.authorize({ nonce, permissions: ['token:read'] })), 409);
  const unknown = vault.sessions.authorize({ nonce: absentId, permissions: ['token:read'] });
  assert.is(await statusOf(unknown), 404);
});

sdk('given what was done, then the log tells it', async ({ vault, management }) => {
  const { id } = await vault.tokens.create({ type: 'token', data: 'x' });
  await vault.tokens.retrieve(id);
  const list = await until(async () => {
    const found = await management.logs.list({ entityType: 'token', entityId: id, size: 10 });
    return found.data.length === 2 ? found : undefined;
  });
  assert.equal(
    list.data.map(({ entityType, entityId, operation, message }) => [
      entityType,
      entityId,
      operation,
      message,
    ]),
    [
      ['token', id, 'read', 'Token retrieved'],
      ['token', id, 'create', 'Token created'],
    ],
  );
  assert.is(list.pagination.totalItems, 2);
  assert.is(await statusOf(vault.logs.list()), 403);
});

sdk('given the tenant, then it is got, changed, reported on and deleted', async ({ management, vault }) => {
  const { tenants } = management;
  assert.is((await tenants.retrieve()).name, 'test');
  await vault.tokens.create({ type: 'token', data: 'counted' });
  await tenants.update({ name: 'renamed', settings: { deduplicate_tokens: 'true' } });
  const { name, settings } = await tenants.retrieve();
  assert.is(name, 'renamed');
  assert.ok(settings);
  const { tokenReport } = await tenants.retrieveUsageReport();
  assert.ok((tokenReport.metricsByType['token']?.count ?? 0) > 0);
  assert.type(tokenReport.monthlyActiveTokens, 'number');
  await tenants.delete();
  assert.is(await statusOf(tenants.retrieve()), 401);
});

sdk.run();
