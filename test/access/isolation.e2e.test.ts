import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { permissionsOf } from '#access/permissions.ts';
import { furnish } from '#test/access/support/estate.ts';
import type { Owned } from '#test/access/support/estate.ts';
import { everyRoute, requestFor } from '#test/access/support/everyRoute.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

/** Expected where the id of the other tenant is not in the path. */
const refusals: Readonly<Record<string, number>> = {
  'GET /tenants/self/owner': 404,
  'POST /detokenize': 400,
  'POST /orchestration/transactions': 404,
  'POST /sessions/authorize': 404,
  'POST /3ds/sessions': 404,
  'POST /account-updater/real-time': 404,
  // They name no proxy: what keys of others lead to, the tests of proxies tell.
  'GET /proxy': 400,
  'POST /proxy': 400,
  'PUT /proxy': 400,
  'PATCH /proxy': 400,
  'DELETE /proxy': 400,
};

let service: VaultService;
let stranger: VaultService['keys'];
let owned: Owned;
const isolation = suite('isolation of tenants');

isolation.before(async () => {
  service = await startVaultService({ environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' } });
  stranger = await service.anotherTenant();
  owned = await furnish(service);
});
isolation.after(() => service.close());

/** Everything the log says of the owner, and everything it can see of itself. */
async function stateOfOwner(): Promise<unknown> {
  const { composition, tenantId, call, keys } = service;
  const { rows } = await composition.pools.owner.query(
    `select count(*) from event_log.events where stream like '%-' || $1 || '.%'`,
    [tenantId],
  );
  const management = { key: keys.management };
  return [
    rows,
    (await call('GET', `/tokens/${owned.token}`)).body,
    (await call('GET', `/applications/${owned.application}`, undefined, management)).body,
    (await call('GET', `/reactors/${owned.reactor}`, undefined, management)).body,
    (await call('GET', `/proxies/${owned.proxy}`, undefined, management)).body,
    (await call('GET', '/orchestration/connections')).body,
    (await call('GET', '/orchestration/transactions')).body,
    (await call('GET', `/3ds/sessions/${owned.threeDs}`)).body,
    (await call('GET', '/webhooks', undefined, management)).body,
    (await call('GET', '/tenants/self', undefined, management)).body,
    (await call('GET', '/tenants/self/invitations', undefined, management)).body,
    (await call('GET', '/tenants/self/members', undefined, management)).body,
  ];
}

const keyFor = (permission: string | undefined): string =>
  permission === undefined || permissionsOf('private').includes(permission)
    ? stranger.private
    : stranger.management;

isolation(
  'given another tenant’s ids, when every route is walked, then none shows or changes anything',
  async () => {
    const { call, tenantId } = service;
    const walk = await everyRoute(service);
    assert.ok(walk.length > 30, String(walk.length));
    const before = await stateOfOwner();
    for (const route of walk) {
      const { name, path, method, operation } = route;
      const { target, body } = requestFor(route, owned);
      const filters = operation.parameters.flatMap(({ name: filter }) =>
        filter === 'id' || filter === 'entity_id' ? [`${filter}=${owned.token}`] : [],
      );
      const query = method === 'GET' && target === path ? `?${filters.join('&')}` : '';
      const reply = await call(method, `${target}${query}`, body, { key: keyFor(operation['x-permission']) });
      const shown = JSON.stringify(reply.body);
      if (target !== path) assert.is(reply.status, 404, `${name}: ${reply.status} ${shown}`);
      else if (name in refusals) assert.is(reply.status, refusals[name], `${name}: ${reply.status} ${shown}`);
      else assert.ok(reply.status < 300 || reply.status === 403, `${name}: ${reply.status} ${shown}`);
      // The stranger's own log holds what the stranger asked for, and a refusal repeats it.
      const repeats = name in refusals || name === 'GET /logs';
      const spoken = repeats ? [tenantId] : [tenantId, ...Object.values(owned)];
      for (const id of spoken) assert.not.ok(shown.includes(id), `${name} shows ${id}: ${shown}`);
    }
    assert.equal(await stateOfOwner(), before);
  },
);

isolation('given the role of the service, then every table of a tenant has row-level security', async () => {
  const { rows } = await service.composition.pools.owner.query<{ name: string }>(
    `select c.oid::regclass::text as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where n.nspname in ('read_models', 'audit', 'work', 'vault') and c.relkind = 'r' and not c.relrowsecurity
       and (has_table_privilege('holdfast_api', c.oid, 'select')
         or has_table_privilege('holdfast_vault', c.oid, 'select'))
     order by 1`,
  );
  // Batches are of no use to anybody.
  assert.equal(
    rows.map(({ name }) => name),
    ['work.unfinished_batches'],
  );
});

isolation.run();
