import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemContext } from '#commands/systemContext.ts';
import { deleteTenant, eraseTenant } from '#commands/tenant/delete.ts';
import { TenantKeysMissing } from '#ports/vault.ts';
import { tenantErasure } from '#subscribers/tenantErasure.ts';
import { sweepDestroyedTenants } from '#infra/vault/sweeps/sweepExpired.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const operator = { type: 'operator', id: 'test' } as const;
const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };

const deleting = suite<{ service: VaultService }>('deleting a tenant');

deleting.before.each(async (context) => {
  context.service = await startVaultService({ alone: true });
});
deleting.after.each(({ service }) => service.close());

const countOf = async ({ composition }: VaultService, table: string): Promise<number> => {
  const { rows } = await composition.pools.owner.query<{ count: string }>(`select count(*) from ${table}`);
  return Number(rows[0]?.count);
};

deleting(
  'given a tenant with tokens, when it is deleted, then its keys open nothing and are gone',
  async ({ service }) => {
    const { composition, tenantId, keys, call } = service;
    const others = await service.anotherTenant();
    const made = await call<{ id: string }>('POST', '/tokens', { type: 'card', data: card });
    const theirs = await call<{ id: string }>(
      'POST',
      '/tokens',
      { type: 'card', data: card },
      { key: others.private },
    );
    const { rows: before } = await composition.pools.owner.query<{ id: string; stream: string }>(
      'select id, stream from vault.payloads where tenant_id = $1',
      [tenantId],
    );
    const reply = await call('DELETE', '/tenants/self', undefined, { key: keys.management });
    assert.is(reply.status, 204);
    for (const key of Object.values(keys)) {
      assert.is((await call('GET', `/tokens/${made.body.id}`, undefined, { key })).status, 401);
    }
    // The ciphertext is still there, and nothing opens it.
    assert.is((await composition.vault.read(tenantId, before)).filter((one) => one !== undefined).length, 0);
    const stored = await Promise.allSettled([composition.vault.fingerprint(tenantId, 'token', 'x')]);
    assert.instance(stored[0].status === 'rejected' && stored[0].reason, TenantKeysMissing);
    const kept = await call('GET', `/tokens/${theirs.body.id}`, undefined, { key: others.private });
    assert.is(kept.status, 200);
  },
);

deleting(
  'given a deleted tenant, then the receipt is an event that says what was destroyed',
  async ({ service }) => {
    const { composition, tenantId, call } = service;
    await call('POST', '/tokens', { type: 'token', data: 'x' });
    const { result } = await deleteTenant(composition, systemContext(tenantId, operator));
    assert.equal(
      result.keys.map(({ purpose }) => purpose),
      ['data', 'fingerprint', 'index', 'short_lived'],
    );
    assert.is(result.payloads, 1);
    const events = await composition.log.readStream(`tenant-${tenantId}.${tenantId}`);
    assert.equal(
      events.map(({ type }) => type),
      ['tenant.created', 'tenant.deleted', 'tenant.erased'],
    );
    assert.equal(events[1]?.data['keys'], [...result.keys]);
    const { rows } = await composition.pools.owner.query<{ keys: string; credentials: string }>(
      `select (select count(*) from vault.tenant_keys where tenant_id = $1) as keys,
       (select count(*) from vault.credentials where tenant_id = $1) as credentials`,
      [tenantId],
    );
    assert.equal(rows[0], { keys: '0', credentials: '0' });
    // What is left of its ciphertexts is noise, and is swept.
    await composition.pools.owner.query(
      `update vault.destroyed_tenants set destroyed_at = now() - interval '1 hour'`,
    );
    await sweepDestroyedTenants(composition.pools.owner);
    assert.is(await countOf(service, 'vault.payloads'), 0);
  },
);

deleting(
  'given a crash after the decision, then the subscriber completes what was begun',
  async ({ service }) => {
    const { composition, tenantId } = service;
    const context = systemContext(tenantId, operator);
    await eraseTenant(composition, context).then(
      () => assert.unreachable('a live tenant was erased'),
      () => undefined,
    );
    // Nothing happened: it was live.
    assert.is((await service.call('GET', '/tokens')).status, 200);
    const broken = { ...composition, vault: { ...composition.vault, destroyTenantKeys: fail } };
    const again = await service.anotherTenant();
    assert.ok(again);
    await deleteTenant(broken, context).catch(() => undefined);
    const events = await composition.log.readStream(`tenant-${tenantId}.${tenantId}`);
    await tenantErasure(composition).handle(events.slice(1, 2));
    await until(
      async () =>
        (await composition.log.readStream(`tenant-${tenantId}.${tenantId}`)).at(-1)?.type === 'tenant.erased',
    );
  },
);

deleting('given no tenant:delete, then 403; given it is deleted twice, then 401', async ({ service }) => {
  const { keys, call } = service;
  assert.is((await call('DELETE', '/tenants/self')).status, 403);
  const options = { key: keys.management };
  const replies = await Promise.all([
    call('DELETE', '/tenants/self', undefined, options),
    call('DELETE', '/tenants/self', undefined, options),
  ]);
  const statuses = replies.map(({ status }) => status);
  assert.ok(statuses.includes(204), String(statuses));
  assert.ok(
    statuses.every((status) => [204, 401, 404].includes(status)),
    String(statuses),
  );
  assert.is((await call('DELETE', '/tenants/self', undefined, options)).status, 401);
});

const fail = (): Promise<void> => Promise.reject(new Error('pulled the plug'));

deleting.run();
