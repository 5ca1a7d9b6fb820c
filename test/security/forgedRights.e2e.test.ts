import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { VaultService } from '#test/support/vaultService.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import { until } from '#test/support/until.ts';

type Context = { service: VaultService };
type Application = { id: string; key: string; keys: { id: string }[] };

const forged = suite<Context>('a writer of the database and the rights of applications');

forged.before(async (context) => {
  context.service = await startVaultService({ alone: true });
});
forged.after(({ service }) => service.close());

const pan = '4242424242424242';

/** A card in the tenant of the service, which a plain private key sees masked. */
async function newCard({ call, keys }: VaultService, key = keys.private): Promise<string> {
  const data = { number: pan, expiration_month: 12, expiration_year: 2030 };
  const { body } = await call<{ id: string }>('POST', '/tokens', { type: 'card', data }, { key });
  return body.id;
}

async function newApplication(service: VaultService, members: object, key?: string): Promise<Application> {
  const reply = await service.call<Application>(
    'POST',
    '/applications',
    { name: 'attacker', type: 'private', ...members },
    { key: key ?? service.keys.management },
  );
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

const sql = (service: VaultService, text: string, values: unknown[] = []) =>
  service.composition.pools.owner.query<Record<string, string>>(text, values);

const alarms = async (service: VaultService, kind: string): Promise<number> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const found = new RegExp(`^holdfast_integrity_alarms_total\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text);
  return Number(found?.[1]);
};

for (const isUsed of [false, true]) {
  forged(
    `given the digest of my key${isUsed ? ', which was used before,' : ''} on the key row of another tenant, when I read its card, then nothing is shown`,
    async ({ service }) => {
      const card = await newCard(service);
      const other = await service.anotherTenant();
      const mine = await newApplication(
        service,
        { type: 'private', permissions: ['token:create'] },
        other.management,
      );
      const victim = await newApplication(service, {
        rules: [{ priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] }],
      });
      if (isUsed) await newCard(service, mine.key);
      const digest = await sql(service, 'delete from vault.credentials where key_id = $1 returning digest', [
        mine.keys[0]?.id,
      ]);
      await sql(service, 'update vault.credentials set digest = $1 where key_id = $2', [
        digest.rows[0]?.['digest'],
        victim.keys[0]?.id,
      ]);
      if (isUsed) {
        // It is remembered as what it was, until a change of the application makes the service look again.
        const remembered = await service.call('GET', `/tokens/${card}`, undefined, { key: mine.key });
        assert.is(remembered.status, 403);
        const path = `/applications/${mine.id}`;
        await service.call('PUT', path, { name: 'renamed' }, { key: other.management });
      }
      const before = await alarms(service, 'credential');
      const read = await service.call('GET', `/tokens/${card}`, undefined, { key: mine.key });
      assert.not.match(JSON.stringify(read.body), pan);
      assert.is(read.status, 500);
      assert.is((await alarms(service, 'credential')) - before, 1);
      // Others do not notice.
      assert.is((await service.call('GET', `/tokens/${card}`)).status, 200);
    },
  );
}

forged(
  'given a credential that is copied with its MAC to another tenant, when it is used, then it opens nothing',
  async ({ service }) => {
    const card = await newCard(service);
    const other = await service.anotherTenant();
    const mine = await newApplication(service, { permissions: ['token:read'] }, other.management);
    const victim = await newApplication(service, { permissions: ['token:read'] });
    await sql(service, 'delete from vault.credentials where key_id = $1', [victim.keys[0]?.id]);
    await sql(
      service,
      'update vault.credentials set tenant_id = $1, application_id = $2, key_id = $3 where key_id = $4',
      [service.tenantId, victim.id, victim.keys[0]?.id, mine.keys[0]?.id],
    );
    const read = await service.call('GET', `/tokens/${card}`, undefined, { key: mine.key });
    assert.is(read.status, 500);
    assert.not.match(JSON.stringify(read.body), pan.slice(-4));
  },
);

forged('given a credential without its MAC, when it is used, then it opens nothing', async ({ service }) => {
  const mine = await newApplication(service, { permissions: ['token:read'] });
  await sql(service, 'update vault.credentials set mac = null where key_id = $1', [mine.keys[0]?.id]);
  assert.is((await service.call('GET', '/tokens', undefined, { key: mine.key })).status, 500);
});

const reveal = JSON.stringify([
  { description: '', priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] },
]);

const changes: readonly [string, string][] = [
  ['rules', `rules = '${reveal}'`],
  ['permissions', `permissions = '{token:read,token:create}'`],
  ['type', `type = 'management'`],
  ['settings for fingerprints', 'public_fingerprints = true'],
  ['origins', `origins = '{https://evil.example}'`],
  ['time', `expires_at = '2999-01-01T00:00:00.000Z', expires_on = '2999-01-01'`],
  ['MAC, which is gone,', `rules = '${reveal}', mac = null`],
];

for (const [what, change] of changes) {
  forged(
    `given an application whose ${what} somebody changed in the view, when it is used or looked at, then 500, and an alarm`,
    async ({ service }) => {
      const { management: key } = service.keys;
      const card = await newCard(service);
      const mine = await newApplication(service, {
        permissions: ['token:search'],
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      });
      const before = await alarms(service, 'application');
      await sql(service, `update read_models.applications set ${change} where id = $1`, [mine.id]);
      const read = await service.call('GET', `/tokens/${card}`, undefined, { key: mine.key });
      assert.is(read.status, 500);
      assert.not.match(JSON.stringify(read.body), pan.slice(-4));
      assert.is((await alarms(service, 'application')) - before, 1);
      const get = await service.call('GET', `/applications/${mine.id}`, undefined, { key });
      assert.is(get.status, 500);
      // The others are shown, and this one can be taken away.
      const list = await service.call<{ data: { id: string }[] }>(
        'GET',
        '/applications?size=100',
        undefined,
        {
          key,
        },
      );
      assert.is(list.status, 200);
      assert.not.ok(list.body.data.some(({ id }) => id === mine.id));
      assert.ok(list.body.data.length > 0);
      assert.is((await service.call('DELETE', `/applications/${mine.id}`, undefined, { key })).status, 204);
      assert.is((await service.call('GET', `/tokens/${card}`, undefined, { key: mine.key })).status, 401);
    },
  );
}

forged(
  'given an older row of an application, when it is put back after its rights were narrowed, then they stay narrow',
  async ({ service }) => {
    const { management: key } = service.keys;
    const card = await newCard(service);
    const wide = {
      rules: [{ priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] }],
    };
    const mine = await newApplication(service, wide);
    await sql(service, 'create table kept_rights as select * from read_models.applications where id = $1', [
      mine.id,
    ]);
    const narrow = { name: 'narrow', permissions: ['token:search'] };
    assert.is((await service.call('PUT', `/applications/${mine.id}`, narrow, { key })).status, 200);
    await sql(service, 'delete from read_models.applications where id = $1', [mine.id]);
    await sql(service, 'insert into read_models.applications select * from kept_rights');
    const read = await service.call('GET', `/tokens/${card}`, undefined, { key: mine.key });
    assert.is(read.status, 403, JSON.stringify(read.body));
    const shown = await service.call('GET', `/applications/${mine.id}`, undefined, { key });
    assert.equal(shown.body['rules'], []);
    await sql(service, 'drop table kept_rights');
  },
);

forged(
  'given rows of a key that was deleted, when they are put back, then the key opens nothing',
  async ({ service }) => {
    const { management: key } = service.keys;
    const mine = await newApplication(service, { permissions: ['token:read'] });
    const keyId = mine.keys[0]?.id;
    const tables = ['read_models.applications', 'read_models.application_keys', 'vault.credentials'];
    for (const [index, table] of tables.entries()) {
      await sql(service, `create table kept_${index} as select * from ${table}`);
    }
    const path = `/applications/${mine.id}/keys/${keyId}`;
    assert.is((await service.call('DELETE', path, undefined, { key })).status, 204);
    await until(async () => {
      const { rows } = await sql(service, 'select key_id from vault.credentials where key_id = $1', [keyId]);
      return rows.length === 0;
    });
    for (const [index, table] of tables.entries()) {
      await sql(service, `insert into ${table} select * from kept_${index} on conflict do nothing`);
    }
    await sql(
      service,
      `update read_models.applications a set revision = k.revision, mac = k.mac from kept_0 k where a.id = k.id`,
    );
    assert.is((await service.call('GET', '/tokens', undefined, { key: mine.key })).status, 401);
    for (const index of tables.keys()) await sql(service, `drop table kept_${index}`);
  },
);

forged(
  'given a row of another tenant’s application in the place of mine, when my key is used, then 500',
  async ({ service }) => {
    const other = await service.anotherTenant();
    const wide = await newApplication(
      service,
      { permissions: ['token:read', 'token:create'] },
      other.management,
    );
    const mine = await newApplication(service, { permissions: ['token:search'] });
    await sql(
      service,
      `update read_models.applications a set permissions = o.permissions, rules = o.rules, revision = o.revision,
         mac = o.mac from read_models.applications o where o.id = $1 and a.id = $2`,
      [wide.id, mine.id],
    );
    assert.is((await service.call('GET', '/tokens', undefined, { key: mine.key })).status, 500);
  },
);

const logChanges: readonly [string, string][] = [
  [
    'changed',
    `update event_log.events set data = jsonb_set(data::jsonb, '{permissions}', '["token:read"]')
     where stream = $1 and type = 'application.created'`,
  ],
  [
    'added to its stream, with the MAC of another',
    `insert into event_log.events (stream, revision, id, type, data, metadata)
     select stream, 2, gen_random_uuid(), 'application.updated',
       jsonb_set(data::jsonb, '{permissions}', '["token:read"]'), metadata
     from event_log.events where stream = $1 and type = 'application.created'`,
  ],
  [
    'left, where the newest was cut off',
    `delete from event_log.events where stream = $1 and type = 'application.key.created'`,
  ],
];

for (const [what, change] of logChanges) {
  forged(
    `given an event that somebody ${what}, when the key is used or the application changed, then it gives no rights`,
    async ({ service }) => {
      const mine = await newApplication(service, { permissions: ['token:search'] });
      const { owner } = service.composition.pools;
      await owner.query('alter table event_log.events disable trigger events_are_immutable');
      await owner.query(change, [`application-${service.tenantId}.${mine.id}`]);
      await owner.query('alter table event_log.events enable trigger events_are_immutable');
      await owner.query('delete from read_models.applications where id = $1', [mine.id]);
      const isCut = what.startsWith('left');
      const used = await service.call('GET', '/tokens', undefined, { key: mine.key });
      assert.is(used.status, isCut ? 401 : 500);
      if (isCut) return;
      // Nor does a change of it make it good.
      const path = `/applications/${mine.id}`;
      const renamed = await service.call('PUT', path, { name: 'new' }, { key: service.keys.management });
      assert.is(renamed.status, 500);
    },
  );
}

forged.run();
