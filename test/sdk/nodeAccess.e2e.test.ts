import { BasisTheory } from '@basis-theory/node-sdk';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureOf } from '#test/sdk/support/failure.ts';
import { clientOf } from '#test/sdk/support/node.ts';
import type { Context } from '#test/sdk/support/node.ts';
import { absentId } from '#test/sdk/support/operations.ts';
import { serve } from '#test/sdk/support/served.ts';
import { until } from '#test/support/until.ts';

const sdk = suite<Context>('node-sdk: access and audit');

sdk.before(async (context) => {
  Object.assign(context, await serve());
  context.clientOf = (key = '') => clientOf(key, context.service);
  context.vault = context.clientOf(context.service.credentials.private);
  context.management = context.clientOf(context.service.credentials.management);
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
  assert.equal(ofPublic[0]?.applicationTypes, ['public', 'private']);
});

sdk('given templates, then they are listed and got', async ({ vault }) => {
  const [first] = await vault.applicationTemplates.list();
  const one = await vault.applicationTemplates.get(first?.id ?? '');
  assert.equal(one, first);
  assert.type(one.isStarter, 'boolean');
});

sdk('given a session, when it is authorized for one token, then its key reads that one', async (context) => {
  const { vault, management, service } = context;
  const reveals = await management.applications.create({
    name: 'reveals',
    type: 'private',
    rules: [
      { description: 'all', priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] },
    ],
  });
  const token = await vault.tokens.create({ type: 'token', data: 'secret' });
  const opened = await context.clientOf(service.credentials.public).sessions.create();
  assert.ok(opened.expiresAt instanceof Date && opened.expiresAt.getTime() > Date.now());
  const backend = context.clientOf(reveals.key);
  const request: BasisTheory.AuthorizeSessionRequest = {
    nonce: opened.nonce ?? '',
    rules: [
      {
        description: 'this one',
        priority: 1,
        conditions: [{ attribute: 'id', operator: 'equals', value: token.id ?? '' }],
        transform: 'reveal',
        permissions: ['token:read'],
      },
    ],
  };
  await backend.sessions.authorize(request);
  const browser = context.clientOf(opened.sessionKey);
  assert.is((await browser.tokens.get(token.id ?? '')).data, 'secret');
  const used = await failureOf(backend.sessions.authorize(request));
  assert.is((used as { statusCode?: number }).statusCode, 409);
  const unknown = await failureOf(backend.sessions.authorize({ ...request, nonce: absentId }));
  assert.is((unknown as { statusCode?: number }).statusCode, 404);
});

sdk('given what was done, then the log tells it, page by page', async ({ vault, management }) => {
  const token = await vault.tokens.create({ type: 'token', data: 'x' });
  const entityId = token.id ?? '';
  for (let count = 0; count < 4; count++) await vault.tokens.get(entityId);
  const found = await until(async () => {
    const page = await management.logs.list({ entityType: 'token', entityId, size: 2 });
    const all = await Array.fromAsync(page);
    return all.length === 5 ? all : undefined;
  });
  assert.equal(
    found.map(({ operation, message }) => [operation, message]),
    [...Array.from({ length: 4 }, () => ['read', 'Token retrieved']), ['create', 'Token created']],
  );
  assert.ok(found[0]?.createdAt instanceof Date);
  const startDate = new Date(Date.now() + 60_000);
  assert.equal((await management.logs.list({ startDate })).data, []);
  const types = await management.logs.getEntityTypes();
  assert.ok(types.some(({ value, displayName }) => value === 'token' && displayName === 'Token'));
  assert.instance(await failureOf(vault.logs.list()), BasisTheory.ForbiddenError);
});

sdk('given the tenant, then it is got, changed, reported on and deleted', async (context) => {
  const { management, vault } = context;
  const { self } = management.tenants;
  assert.is((await self.get()).name, 'test');
  const updated = await self.update({ name: 'renamed', settings: { deduplicate_tokens: 'true' } });
  assert.is(updated.name, 'renamed');
  assert.equal((await self.get()).settings, { deduplicate_tokens: 'true' });
  await vault.tokens.create({ type: 'token', data: 'counted' });
  assert.ok(((await self.getUsageReports()).totalTokens ?? 0) > 0);
  await self.delete();
  assert.instance(await failureOf(self.get()), BasisTheory.UnauthorizedError);
});

sdk.run();
