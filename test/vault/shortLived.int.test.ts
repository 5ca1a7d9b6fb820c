import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sweepShortLived } from '#infra/vault/sweeps/sweepShortLived.ts';
import { createVaultFixture, readOne } from '#test/vault/support/fixture.ts';

const test = suite('short-lived parts');
const fixture = await createVaultFixture();
const { vault, clock } = fixture;
const { owner } = fixture.database.pools;
const tenantId = await fixture.newTenant();
const minute = 60_000;

const storePart = async (storedAt = clock.now()): Promise<string> => {
  const id = randomUUID();
  await vault.store({
    id,
    tenantId,
    stream: 'token-a.b',
    data: 'data',
    shortLived: { value: '123', storedAt },
  });
  return id;
};
const count = async (from: string, ...values: unknown[]): Promise<number> => {
  const { rows } = await owner.query<{ found: number }>(
    `select count(*)::int4 as found from ${from}`,
    values,
  );
  return rows[0]?.found ?? 0;
};

test('given a part, when 59:59 have passed, then it reads, and at 60:00 it is gone, and the data stays', async () => {
  const storedAt = clock.now();
  const id = await storePart();
  clock.advance(60 * minute - 1_000);
  assert.equal(await (await readOne(vault, tenantId, id)).shortLived(), { value: '123', storedAt });
  const readBefore = await readOne(vault, tenantId, id);
  clock.advance(1_000);
  assert.is(await readBefore.shortLived(), undefined);
  assert.is(await (await readOne(vault, tenantId, id)).shortLived(), undefined);
  assert.is(await (await readOne(vault, tenantId, id)).data(), 'data');
});

test('given a payload without a part, then there is none', async () => {
  const id = randomUUID();
  await vault.store({ id, tenantId, stream: 'token-a.b', data: 1 });
  assert.is(await (await readOne(vault, tenantId, id)).shortLived(), undefined);
});

test('given a part moved to a new payload after 40 minutes, then its hour still counts from the beginning', async () => {
  const storedAt = clock.now();
  clock.advance(40 * minute);
  const id = await storePart(storedAt);
  clock.advance(20 * minute - 1);
  assert.equal(await (await readOne(vault, tenantId, id)).shortLived(), { value: '123', storedAt });
  clock.advance(1);
  assert.is(await (await readOne(vault, tenantId, id)).shortLived(), undefined);
});

test('given a part whose hour is over, when it is stored, then it is left out', async () => {
  const id = await storePart(new Date(clock.now().getTime() - 60 * minute));
  assert.is(await count('vault.short_lived_parts where payload_id = $1', id), 0);
});

test('given a part from the future, when it is stored, then its hour starts now', async () => {
  const storedAt = clock.now();
  const id = await storePart(new Date(storedAt.getTime() + 10 * minute));
  assert.equal((await (await readOne(vault, tenantId, id)).shortLived())?.storedAt, storedAt);
});

test('given two processes that meet a new minute at once, then they agree on one epoch key', async () => {
  clock.advance(minute);
  const vaults = [vault, fixture.anotherVault(), fixture.anotherVault()];
  const stored = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const id = randomUUID();
      const shortLived = { value: index, storedAt: clock.now() };
      await (vaults[index % 3] ?? vault).store({ id, tenantId, stream: 's', data: 1, shortLived });
      return id;
    }),
  );
  for (const [index, id] of stored.entries()) {
    const reader = vaults[(index + 1) % 3] ?? vault;
    assert.is((await (await readOne(reader, tenantId, id, 's')).shortLived())?.value, index);
  }
});

test('given a crash of Postgres that emptied the epoch keys, then parts are forgotten and new ones are stored', async () => {
  const before = await storePart();
  await owner.query('truncate vault.epoch_keys');
  const after = await storePart();
  const other = fixture.anotherVault();
  assert.is(await (await readOne(other, tenantId, before)).shortLived(), undefined);
  assert.is(await (await readOne(other, tenantId, before)).data(), 'data');
  assert.is((await (await readOne(other, tenantId, after)).shortLived())?.value, '123');
});

test('given parts of all ages, when the sweep runs, then what is over goes and what is not stays', async () => {
  const old = await storePart();
  clock.advance(60 * minute);
  const young = await storePart();
  clock.advance(31 * minute);
  assert.ok((await sweepShortLived(owner, clock.now())) >= 1);
  assert.is(await count('vault.short_lived_parts where payload_id = $1', old), 0);
  assert.is((await (await readOne(fixture.anotherVault(), tenantId, young)).shortLived())?.value, '123');
});

test('given a sweep 61 minutes after a part was stored, then its epoch key went with the file it was in', async () => {
  await storePart();
  const { rows: before } = await owner.query<{ id: string; file: string }>(
    "select id, pg_relation_filepath('vault.epoch_keys') as file from vault.epoch_keys order by epoch desc limit 1",
  );
  clock.advance(61 * minute - 1);
  const recent = await storePart();
  clock.advance(1);
  await sweepShortLived(owner, clock.now());
  assert.is(await count('vault.epoch_keys where id = $1', before[0]?.id), 0);
  const { rows: files } = await owner.query<{ file: string }>(
    "select pg_relation_filepath('vault.epoch_keys') as file",
  );
  assert.is.not(files[0]?.file, before[0]?.file);
  assert.is((await (await readOne(fixture.anotherVault(), tenantId, recent)).shortLived())?.value, '123');
});

test('given a sweep with nothing over, then the file stays', async () => {
  const fileOf = async (): Promise<unknown> =>
    (await owner.query("select pg_relation_filepath('vault.epoch_keys') as file")).rows;
  await sweepShortLived(owner, clock.now());
  const before = await fileOf();
  await sweepShortLived(owner, clock.now());
  assert.equal(await fileOf(), before);
});

test('given parts that are stored and read all along, when sweeps run, then none is lost', async () => {
  const stored = Array.from({ length: 150 }, async () => {
    const id = await storePart();
    const payload = await readOne(fixture.vault, tenantId, id);
    return (await payload.shortLived())?.value;
  });
  await owner.query(
    `insert into vault.epoch_keys select $1, epoch, gen_random_uuid(), '\\x00' from generate_series(1, 50) epoch`,
    [tenantId],
  );
  await sweepShortLived(owner, clock.now());
  for (const value of await Promise.all(stored)) assert.is(value, '123');
});

test('given the epoch keys, then they lie in an unlogged table', async () => {
  assert.is(await count("pg_class where oid = 'vault.epoch_keys'::regclass and relpersistence = 'u'"), 1);
});

test.after(fixture.close);
test.run();
