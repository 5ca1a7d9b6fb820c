import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IntegrityError } from '#ports/vault.ts';
import { createVault } from '#infra/vault/vault.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import {
  createVaultFixture,
  environment,
  failureOf,
  readOne,
  readThose,
} from '#test/vault/support/fixture.ts';

const test = suite('vault isolation');
const fixture = await createVaultFixture();
const { vault, clock } = fixture;
const { owner, vault: vaultPool } = fixture.database.pools;
const stream = 'token-a.b';
const here = await fixture.newTenant();
const there = await fixture.newTenant();

const storeCard = async (tenantId: string): Promise<string> => {
  const id = randomUUID();
  const shortLived = { value: '9876', storedAt: clock.now() };
  const blindIndexes = [await vault.blindIndex(tenantId, 'search me')];
  await vault.store({ id, tenantId, stream, data: { n: id }, shortLived, blindIndexes });
  return id;
};

type Move = { from: string; to: string; reader: string };

/** Every way to put what belongs to one payload into the row of another. */
const moves = {
  ciphertext: 'ciphertext = s.ciphertext',
  salt: 'salt = s.salt',
  both: 'salt = s.salt, ciphertext = s.ciphertext',
};
const move = (put: string, from: string, to: string) =>
  owner.query(`update vault.payloads p set ${put} from vault.payloads s where p.id = $1 and s.id = $2`, [
    to,
    from,
  ]);

for (const [moved, put] of Object.entries(moves)) {
  test(`given ${moved} moved between payloads or tenants, when it is read, then it is refused`, async () => {
    const pairs: Move[] = [
      { from: await storeCard(here), to: await storeCard(here), reader: here },
      { from: await storeCard(here), to: await storeCard(there), reader: there },
    ];
    for (const { from, to, reader } of pairs) {
      await move(put, from, to);
      assert.instance(await failureOf((await readOne(vault, reader, to)).data()), IntegrityError);
      assert.equal(await (await readOne(vault, here, from)).data(), { n: from });
    }
  });
}

test('given ciphertext, salt and data key moved to another tenant, when it is read, then it is refused', async () => {
  const [from, to] = [await storeCard(here), await storeCard(there)];
  await owner.query('create table kept as select * from vault.data_keys');
  await owner.query(
    `update vault.data_keys k set wrapped_key = s.wrapped_key from kept s
     where k.tenant_id = $1 and s.tenant_id = $2`,
    [there, here],
  );
  await move(moves.both, from, to);
  const fresh = fixture.anotherVault();
  assert.instance(await failureOf((await readOne(fresh, there, to)).data()), IntegrityError);
  await owner.query(
    `update vault.data_keys k set wrapped_key = s.wrapped_key from kept s where k.tenant_id = s.tenant_id`,
  );
});

test('given a payload, when it is read as that of another record, then data and part are refused', async () => {
  const id = await storeCard(here);
  const payload = await readOne(vault, here, id, 'token-a.c');
  assert.instance(await failureOf(payload.data()), IntegrityError);
  assert.instance(await failureOf(payload.shortLived()), IntegrityError);
  assert.equal(await (await readOne(vault, here, id)).data(), { n: id });
});

test('given one payload that two records refer to, when both are read at once, then only its own opens it', async () => {
  const id = await storeCard(here);
  const streams = [stream, 'token-a.c', stream];
  const read = await vault.read(
    here,
    streams.map((of) => ({ id, stream: of })),
  );
  const outcomes = await Promise.allSettled(read.map(async (payload) => payload?.data()));
  assert.equal(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('given a short-lived part moved between payloads, when it is read, then it is refused', async () => {
  const [from, to] = [await storeCard(here), await storeCard(here)];
  await owner.query(
    `update vault.short_lived_parts p set ciphertext = s.ciphertext from vault.short_lived_parts s
     where p.payload_id = $1 and s.payload_id = $2`,
    [to, from],
  );
  assert.instance(await failureOf((await readOne(vault, here, to)).shortLived()), IntegrityError);
});

test('given a whole row copied to another tenant, when that tenant reads it, then it is refused', async () => {
  const id = await storeCard(here);
  await owner.query(
    `insert into vault.payloads select $2, id, stream, key_version, wrapped_key, ciphertext, fingerprint,
       created_at, expires_at, salt from vault.payloads where id = $1`,
    [id, there],
  );
  assert.instance(await failureOf((await readOne(vault, there, id)).data()), IntegrityError);
});

test('given data and short-lived part swapped within a payload, when it is read, then both are refused', async () => {
  const id = await storeCard(here);
  await owner.query(
    `with p as (select ciphertext from vault.payloads where id = $1),
       s as (update vault.short_lived_parts set ciphertext = (select ciphertext from p) where payload_id = $1)
     update vault.payloads set ciphertext =
       (select ciphertext from vault.short_lived_parts where payload_id = $1) where id = $1`,
    [id],
  );
  const payload = await readOne(vault, here, id);
  assert.instance(await failureOf(payload.data()), IntegrityError);
  assert.instance(await failureOf(payload.shortLived()), IntegrityError);
});

test('given a part whose time was moved on by a writer of the database, when it is read, then it is refused', async () => {
  const id = await storeCard(here);
  await owner.query(
    "update vault.short_lived_parts set stored_at = stored_at + interval '1 minute' where payload_id = $1",
    [id],
  );
  assert.instance(await failureOf((await readOne(vault, here, id)).shortLived()), IntegrityError);
});

test('given a ciphertext cut by 1 to 12 bytes, when it is read, then it is refused', async () => {
  for (let cut = 1; cut <= 12; cut += 1) {
    const id = await storeCard(here);
    await owner.query(
      `update vault.payloads set ciphertext = substring(ciphertext for length(ciphertext) - ${cut})
       where id = $1`,
      [id],
    );
    assert.instance(await failureOf((await readOne(vault, here, id)).data()), IntegrityError);
  }
});

test('given a process of another environment, when it reads, then nothing opens', async () => {
  const id = await storeCard(here);
  const { keyProvider } = fixture;
  const foreign = createVault({
    pool: vaultPool,
    keyProvider,
    clock,
    environment: 'production',
    logger: silentLogger,
  });
  assert.instance(await failureOf((await readOne(foreign, here, id)).data()), IntegrityError);
});

test('given another tenant, when it reads or removes by id, then it meets nothing', async () => {
  const id = await storeCard(here);
  assert.is((await readThose(vault, there, [id])).length, 0);
  await vault.remove(there, [id]);
  assert.is((await readThose(vault, here, [id])).length, 1);
});

test('given the vault role, when a statement names no tenant, or another, then it sees no row', async () => {
  await storeCard(here);
  const owned = ['tenant_keys', 'data_keys', 'payloads', 'blind_indexes', 'short_lived_parts', 'epoch_keys'];
  for (const table of owned) {
    const count = `select count(*)::int4 as seen from vault.${table} where tenant_id = '${here}'`;
    const client = await vaultPool.connect();
    try {
      assert.is((await client.query<{ seen: number }>(count)).rows[0]?.seen, 0, table);
      await client.query('begin');
      await client.query("select set_config('hf.tenant', $1, true)", [there]);
      assert.is((await client.query<{ seen: number }>(count)).rows[0]?.seen, 0, table);
      await client.query("select set_config('hf.tenant', $1, true)", [here]);
      assert.ok(((await client.query<{ seen: number }>(count)).rows[0]?.seen ?? 0) > 0, table);
      await client.query('rollback');
      assert.is((await client.query<{ seen: number }>(count)).rows[0]?.seen, 0, table);
    } finally {
      client.release();
    }
  }
});

test('given the vault role in one tenant, when it writes into another, then Postgres refuses', async () => {
  const client = await vaultPool.connect();
  try {
    await client.query('begin');
    await client.query("select set_config('hf.tenant', $1, true)", [here]);
    const written = client.query(
      'insert into vault.blind_indexes (tenant_id, digest, payload_id) values ($1, $2, $3)',
      [there, Buffer.of(1), randomUUID()],
    );
    assert.match((await failureOf(written)).message, /row-level security/);
  } finally {
    client.release(true);
  }
});

test('given the api role, when it looks into the vault, then Postgres refuses', async () => {
  const looked = fixture.database.pools.api.query('select from vault.payloads');
  assert.match((await failureOf(looked)).message, /permission denied/);
});

test('given a planner that is denied its usual plans, when tenants store and read, then all is found', async () => {
  const denied = [
    '-c enable_nestloop=off -c enable_indexscan=off -c enable_bitmapscan=off',
    '-c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off -c plan_cache_mode=force_generic_plan',
    '-c plan_cache_mode=force_custom_plan -c enable_material=off -c from_collapse_limit=1',
  ];
  for (const settings of denied) {
    const pool = new pg.Pool({
      ...fixture.database.connection,
      options: `-c role=holdfast_vault ${settings}`,
      max: 2,
    });
    const { keyProvider } = fixture;
    const odd = createVault({ pool, keyProvider, clock, environment, logger: silentLogger });
    for (let round = 0; round < 8; round += 1) {
      for (const tenantId of [here, there]) {
        const id = randomUUID();
        const shortLived = { value: '1', storedAt: clock.now() };
        await odd.store({ id, tenantId, stream, data: id, shortLived });
        const payload = await readOne(odd, tenantId, id);
        assert.is(await payload.data(), id);
        assert.is((await payload.shortLived())?.value, '1');
        await odd.remove(tenantId, [id]);
        assert.is((await readThose(odd, tenantId, [id])).length, 0);
      }
    }
    await pool.end();
  }
});

test('given stored secrets, when every vault table is scanned, then none is found in the clear', async () => {
  const secrets = ['4111119876543210', 'cvc-canary-739', 'account-canary-1', 'index-canary', 'print-canary'];
  const [number = '', cvc = '', account = '', indexed = '', printed = ''] = secrets;
  await vault.store({
    id: randomUUID(),
    tenantId: here,
    stream,
    data: { number, account },
    shortLived: { value: cvc, storedAt: clock.now() },
    fingerprint: await vault.fingerprint(here, 'card', printed),
    blindIndexes: [await vault.blindIndex(here, indexed)],
  });
  const { rows: tables } = await owner.query<{ name: string }>(
    "select format('vault.%I', tablename) as name from pg_tables where schemaname = 'vault'",
  );
  assert.ok(tables.length >= 10);
  for (const { name } of tables) {
    const { rows } = await owner.query<{ line: string }>(`select t::text as line from ${name} t`);
    const content = rows.map(({ line }) => line).join('\n');
    for (const secret of secrets) {
      assert.not.ok(content.includes(secret), name);
      assert.not.ok(content.includes(Buffer.from(secret).toString('hex')), name);
      assert.not.ok(content.includes(Buffer.from(secret).toString('base64').slice(0, -3)), name);
    }
  }
});

test.after(fixture.close);
test.run();
