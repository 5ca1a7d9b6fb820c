import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json } from '#ports/json.ts';
import { StoreUnavailable } from '#ports/readModels.ts';
import { TenantKeysMissing } from '#ports/vault.ts';
import { createPools } from '#infra/postgres/pools.ts';
import { createVault } from '#infra/vault/vault.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import {
  createVaultFixture,
  environment,
  failureOf,
  readOne,
  readThose,
} from '#test/vault/support/fixture.ts';

const test = suite('vault');
const fixture = await createVaultFixture();
const { vault, clock } = fixture;
const tenantId = await fixture.newTenant();
const stream = 'token-a.b';

test('given any JSON, when it was stored, then it reads back equal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const id = randomUUID();
      const data: Json = JSON.parse(JSON.stringify(value));
      await vault.store({ id, tenantId, stream, data });
      assert.equal(await (await readOne(vault, tenantId, id)).data(), data);
    }),
    { numRuns: 60 },
  );
});

test('given a __proto__ key, when it was stored, then it is data', async () => {
  const id = randomUUID();
  const hostile: Json = JSON.parse('{"__proto__":{"a":1}}');
  await vault.store({ id, tenantId, stream, data: hostile });
  const data = await (await readOne(vault, tenantId, id)).data();
  assert.is(JSON.stringify(data), '{"__proto__":{"a":1}}');
});

test('given 300 concurrent stores of three tenants, when all returned, then each reads its own', async () => {
  const tenants = [tenantId, await fixture.newTenant(), await fixture.newTenant()];
  const payloads = Array.from({ length: 300 }, (_, index) => ({
    id: randomUUID(),
    tenantId: tenants[index % 3] ?? tenantId,
    stream,
    data: index,
  }));
  await Promise.all(payloads.map((payload) => vault.store(payload)));
  const read = await Promise.all(
    payloads.map(async (payload) => (await readOne(vault, payload.tenantId, payload.id)).data()),
  );
  assert.equal(
    read,
    payloads.map(({ data }) => data),
  );
});

test('given a stored id, when it is stored again with other data, then the first stays', async () => {
  const id = randomUUID();
  await vault.store({ id, tenantId, stream, data: 'first' });
  await vault.storeAll([
    { id, tenantId, stream, data: 'second' },
    { id, tenantId, stream, data: 'third' },
  ]);
  assert.is(await (await readOne(vault, tenantId, id)).data(), 'first');
});

test('given one payload that Postgres refuses among others, then only its caller hears of it', async () => {
  const good = Array.from({ length: 5 }, () => randomUUID());
  const stores = good.map((id) => vault.store({ id, tenantId, stream, data: id }));
  const bad = vault.store({ id: randomUUID(), tenantId, stream: 'a\0b', data: 1 });
  await failureOf(bad);
  await Promise.all(stores);
  assert.is((await readThose(vault, tenantId, good)).length, 5);
});

test('given fingerprint and blind indexes, when the payload is removed, then no row of it is left', async () => {
  const id = randomUUID();
  const blindIndexes = [await vault.blindIndex(tenantId, 'a'), await vault.blindIndex(tenantId, 'b')];
  const fingerprint = await vault.fingerprint(tenantId, 'card', '4242424242424242');
  const shortLived = { value: '123', storedAt: clock.now() };
  await vault.store({ id, tenantId, stream, data: 1, fingerprint, blindIndexes, shortLived });
  assert.is((await readOne(vault, tenantId, id)).fingerprint, fingerprint);
  await vault.remove(tenantId, [id, randomUUID()]);
  await vault.remove(tenantId, [id]);
  assert.is((await readThose(vault, tenantId, [id])).length, 0);
  const { rows } = await fixture.database.pools.owner.query<{ left: number }>(
    `select (select count(*) from vault.blind_indexes where payload_id = $1)::int4
       + (select count(*) from vault.short_lived_parts where payload_id = $1)::int4 as left`,
    [id],
  );
  assert.is(rows[0]?.left, 0);
});

test('given an expiry, when its time has come, then the payload is missing', async () => {
  const id = randomUUID();
  await vault.store({ id, tenantId, stream, data: 1, expiresAt: new Date(clock.now().getTime() + 1_000) });
  clock.advance(999);
  assert.is((await readThose(vault, tenantId, [id])).length, 1);
  clock.advance(1);
  assert.is((await readThose(vault, tenantId, [id])).length, 0);
});

test('given a value, then its fingerprint is equal within tenant and type, and unrelated elsewhere', async () => {
  const other = await fixture.newTenant();
  const here = await vault.fingerprint(tenantId, 'card', '4242');
  assert.match(here, /^[1-9A-HJ-NP-Za-km-z]{40,44}$/);
  assert.is(await fixture.anotherVault().fingerprint(tenantId, 'card', '4242'), here);
  assert.is.not(await vault.fingerprint(tenantId, 'bank', '4242'), here);
  assert.is.not(await vault.fingerprint(tenantId, 'card4', '242'), here);
  assert.is.not(await vault.fingerprint(other, 'card', '4242'), here);
  const index = await vault.blindIndex(tenantId, '4242');
  assert.is(index.length, 32);
  assert.not.equal(await vault.blindIndex(other, '4242'), index);
});

test('given a tenant without keys, when something is asked of it, then TenantKeysMissing', async () => {
  const unknown = randomUUID();
  const stored = vault.store({ id: randomUUID(), tenantId: unknown, stream, data: 1 });
  assert.instance(await failureOf(stored), TenantKeysMissing);
  assert.instance(await failureOf(vault.fingerprint(unknown, 'card', 'a')), TenantKeysMissing);
});

test('given keys, when they are made again, then what was stored stays readable', async () => {
  const id = randomUUID();
  await vault.store({ id, tenantId, stream, data: 1 });
  await Promise.all([vault.createTenantKeys(tenantId), vault.createTenantKeys(tenantId)]);
  assert.is(await (await readOne(fixture.anotherVault(), tenantId, id)).data(), 1);
});

test('given no server, when something is stored or read, then StoreUnavailable', async () => {
  const pools = createPools(
    { host: '127.0.0.1', port: 1, user: 'nobody' },
    { owner: 1, api: 1, vault: 1, log: 1 },
  );
  const { keyProvider } = fixture;
  const lonely = createVault({ pool: pools.vault, keyProvider, clock, environment, logger: silentLogger });
  const stored = lonely.store({ id: randomUUID(), tenantId, stream, data: 1 });
  assert.instance(await failureOf(stored), StoreUnavailable);
  assert.instance(await failureOf(readThose(lonely, tenantId, [randomUUID()])), StoreUnavailable);
  assert.instance(await failureOf(lonely.remove(tenantId, [randomUUID()])), StoreUnavailable);
  await pools.close();
});

test('given connections that Postgres ends in the middle, then callers hear of it and the next ones work', async () => {
  const { owner } = fixture.database.pools;
  const ids = Array.from({ length: 60 }, () => randomUUID());
  const work = ids.flatMap((id) => [
    vault.store({ id, tenantId, stream, data: id }),
    vault.remove(tenantId, [randomUUID()]),
  ]);
  const outcomes = Promise.allSettled(work);
  await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'holdfast vault %'`,
  );
  for (const outcome of await outcomes) {
    if (outcome.status === 'rejected') assert.instance(outcome.reason, StoreUnavailable);
  }
  await vault.storeAll(ids.map((id) => ({ id, tenantId, stream, data: id })));
  assert.is((await readThose(vault, tenantId, ids)).length, 60);
});

test.after(fixture.close);
test.run();
