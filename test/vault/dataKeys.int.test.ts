import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IntegrityError } from '#ports/vault.ts';
import { createDataKeys } from '#infra/vault/dataKeys/dataKeys.ts';
import { loadTenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import {
  anyStream as stream,
  createVaultFixture,
  environment,
  failureOf,
  readOne,
} from '#test/vault/support/fixture.ts';

const test = suite('data keys of days');
const fixture = await createVaultFixture();
const { vault, clock, administration, database } = fixture;
const { owner } = database.pools;

type Named = { day: number; ordinal: number };
const namesOf = async (tenantId: string): Promise<Named[]> => {
  const { rows } = await owner.query<Named>(
    'select day, ordinal from vault.data_keys where tenant_id = $1 order by day, ordinal',
    [tenantId],
  );
  return rows;
};
const daysOf = async (tenantId: string): Promise<number[]> =>
  (await namesOf(tenantId)).map(({ day }) => day - today);
const today = Math.floor(clock.now().getTime() / 86_400_000);
const storeOne = async (tenantId: string, by = vault): Promise<string> => {
  const id = randomUUID();
  await by.store({ id, tenantId, stream, data: id });
  return id;
};

test('given payloads of a day, when several processes store them, then they share one data key', async () => {
  const tenantId = await fixture.newTenant();
  const processes = [vault, fixture.anotherVault(), fixture.anotherVault()];
  const stored = await Promise.all(
    Array.from({ length: 30 }, (_, index) => storeOne(tenantId, processes[index % 3])),
  );
  assert.equal(await namesOf(tenantId), [{ day: today, ordinal: 0 }]);
  for (const id of stored) {
    for (const each of processes) assert.is(await (await readOne(each, tenantId, id)).data(), id);
  }
});

test('given the next day, when a payload is stored, then it has another data key, and all are readable', async () => {
  const tenantId = await fixture.newTenant();
  const first = await storeOne(tenantId);
  clock.advance(86_400_000);
  const second = await storeOne(tenantId);
  assert.equal(await daysOf(tenantId), [0, 1]);
  const fresh = fixture.anotherVault();
  for (const id of [first, second]) assert.is(await (await readOne(fresh, tenantId, id)).data(), id);
});

test('given a key that has sealed as many messages as it may, when more are stored, then the next is made', async () => {
  const tenantId = await fixture.newTenant();
  const dataKeys = createDataKeys(owner, environment, { most: 3 });
  const names: number[] = [];
  for (let message = 0; message < 8; message += 1) {
    // Keys that are loaded anew, as they are every few minutes, do not begin the count again.
    const keys = await loadTenantKeys(owner, administration, tenantId);
    names.push((await dataKeys.forStoring(tenantId, keys, clock.now())).name.ordinal);
  }
  assert.equal(names, [0, 0, 0, 1, 1, 1, 2, 2]);
});

test('given keys of several days, when all are read at once, then the keys are asked for together', async () => {
  const tenantId = await fixture.newTenant();
  const stored: string[] = [];
  for (let day = 0; day < 5; day += 1) {
    stored.push(await storeOne(tenantId));
    clock.advance(86_400_000);
  }
  const fresh = fixture.anotherVault();
  const payloads = await fresh.read(
    tenantId,
    stored.map((id) => ({ id, stream })),
  );
  assert.equal(await Promise.all(payloads.map(async (payload) => payload?.data())), stored);
});

test('given a ciphertext whose salt is gone, when it is read, then the day key does not open it', async () => {
  const tenantId = await fixture.newTenant();
  const id = await storeOne(tenantId);
  for (const salt of ["decode(repeat('00', 32), 'hex')", 'null', "''", 'substring(salt for 31)']) {
    await owner.query(`update vault.payloads set salt = ${salt} where id = $1`, [id]);
    const payload = await readOne(vault, tenantId, id);
    assert.instance(await failureOf(payload.data()), IntegrityError, salt);
  }
});

test("given a tenant whose keys are destroyed, then the data keys' rows are gone with them", async () => {
  const tenantId = await fixture.newTenant();
  await storeOne(tenantId);
  await vault.destroyTenantKeys(tenantId);
  assert.equal(await namesOf(tenantId), []);
});

test.after(fixture.close);
test.run();
