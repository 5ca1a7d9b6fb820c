import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomId } from '#src/identifiers.ts';
import { configurationRemoval } from '#subscribers/configurationRemoval.ts';
import {
  create,
  createApplication,
  get,
  manage,
  minimal,
  patch,
  payloads,
} from '#test/reactors/support/reactors.ts';
import type { List, Reactor } from '#test/reactors/support/reactors.ts';
import { recordedEvent } from '#test/support/projection.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const configurations = suite<{ service: VaultService }>('configurations of reactors');

configurations.before(async (context) => {
  context.service = await startVaultService();
});
configurations.after(({ service }) => service.close());

configurations(
  'given a configuration that changes and goes, when all tables are searched, then no value is found, and the vault forgets',
  async ({ service }) => {
    const { id } = await create(service, { configuration: { secretName: 'canary-one' } });
    const [first] = await payloads(service, id);
    await patch(service, id, { configuration: { another: 'canary-two' } });
    await manage(service, 'PUT', `/${id}`, { ...minimal, configuration: { third: 'canary-three' } });
    await manage(service, 'POST', '', { ...minimal, configuration: { wrong: 7, right: 'canary-four' } });
    await get(service, id);
    await until(async () => (await payloads(service, id)).length === 1);
    assert.not.ok((await payloads(service, id)).includes(first ?? ''));
    for (const row of await everything(service)) assert.not.match(row, leaked);
    await manage(service, 'DELETE', `/${id}`);
    await until(async () => (await payloads(service, id)).length === 0);
  },
);

/** Also as bytes are written. */
const leaked = new RegExp(`canary|secretName|${Buffer.from('canary').toString('hex')}`);

/** Every row of every table there is, as text. */
async function everything({ composition: { pools } }: VaultService): Promise<string[]> {
  const { rows: tables } = await pools.owner.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('event_log', 'read_models', 'work', 'vault', 'audit')`,
  );
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await pools.owner.query<{ text: string }>(`select t::text as text from ${name} as t`);
      return found.rows.map(({ text }) => text);
    }),
  );
  const all = rows.flat();
  assert.ok(all.some((row) => row.includes('reactor.updated')));
  return all;
}

configurations(
  'given a key that may write and not read, when it writes, then the answer is without the configuration',
  async ({ service }) => {
    const { key } = await createApplication(service, 'management', ['reactor:create', 'reactor:update']);
    const body = { ...minimal, configuration: { a: 'b' } };
    const created = await manage<Reactor>(service, 'POST', '', body, key);
    assert.is(created.status, 201);
    const { id } = created.body;
    const updated = await manage<Reactor>(service, 'PUT', `/${id}`, body, key);
    assert.is(updated.status, 200);
    for (const answered of [created.body, updated.body]) {
      assert.is(answered.name, minimal.name);
      assert.not.ok('configuration' in answered);
    }
    assert.equal((await get(service, id)).configuration, body.configuration);
  },
);

type Entry = { operation: string; outcome: string; detail?: string };

configurations(
  'given answers that show configurations, when the audit log is listed, then each is a read',
  async ({ service }) => {
    const one = await create(service, { name: 'audited one' });
    const two = await create(service, { name: 'audited two' });
    await manage(service, 'PUT', `/${one.id}`, minimal);
    await get(service, one.id);
    assert.is((await manage<List>(service, 'GET', '?name=audited*')).body.data.length, 1);
    await patch(service, one.id, { name: 'other' });
    await manage(service, 'PATCH', `/${one.id}`, { name: '' });
    await manage(service, 'DELETE', `/${one.id}`);
    const entriesOf = async (id: string): Promise<string[]> => {
      const query = `entity_type=reactor&entity_id=${id}&size=100`;
      const options = { key: service.keys.management };
      const { body } = await service.call<{ data: Entry[] }>('GET', `/logs?${query}`, undefined, options);
      return body.data.map(({ operation, outcome }) => `${operation} ${outcome}`).sort();
    };
    const read = 'read succeeded';
    const create_ = 'create succeeded';
    const update = 'update succeeded';
    // Those of events come by themselves, a moment later.
    await until(async () => (await entriesOf(one.id)).includes('delete succeeded'));
    assert.equal(
      await entriesOf(one.id),
      [create_, read, update, read, read, update, 'update refused', 'delete succeeded'].sort(),
    );
    assert.equal(await entriesOf(two.id), [create_, read, read].sort());
    const types = await service.call<{ value: string }[]>('GET', '/logs/entity-types', undefined, {
      key: service.keys.management,
    });
    assert.ok(types.body.some(({ value }) => value === 'reactor'));
  },
);

configurations(
  'given events that end configurations, when the subscriber is told twice, then they go, and only they',
  async ({ service }) => {
    const { vault } = service.composition;
    const tenant_id = service.tenantId;
    const reactorId = randomId();
    const store = async (): Promise<string> => {
      const payload = { id: randomId(), stream: `reactor-${tenant_id}.${reactorId}`, data: { a: 'b' } };
      await vault.store({ ...payload, tenantId: tenant_id });
      return payload.id;
    };
    const [kept, previous, deleted] = [await store(), await store(), await store()];
    const metadata = { tenant_id };
    const updated = { id: reactorId, previous_payload_id: previous, name: 'a', code: 'b', payload_id: kept };
    const events = [
      recordedEvent({ type: 'reactor.updated', data: updated, metadata }),
      recordedEvent({ type: 'reactor.deleted', data: { id: reactorId, payload_id: deleted }, metadata }),
    ];
    const subscriber = configurationRemoval(vault);
    assert.equal(subscriber.types, ['reactor.updated', 'reactor.deleted', 'proxy.updated', 'proxy.deleted']);
    await subscriber.handle(events);
    await subscriber.handle(events);
    assert.equal(await payloads(service, reactorId), [kept]);
  },
);

configurations.run();
