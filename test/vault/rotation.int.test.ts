import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TenantKeysMissing } from '#ports/vault.ts';
import type { OnProgress } from '#infra/vault/administration/administration.ts';
import { rewrapPayloads } from '#infra/vault/administration/rewrap.ts';
import type { Rewrapped } from '#infra/vault/administration/rewrap.ts';
import { rotateDataKeys } from '#infra/vault/administration/rotate.ts';
import { keyStatus } from '#infra/vault/administration/status.ts';
import type { DataKeyStatus } from '#infra/vault/administration/status.ts';
import { createKeyring, keyLifetime } from '#infra/vault/keys/keyring.ts';
import type { TenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import { loadTenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import { sweepDestroyedTenants } from '#infra/vault/sweeps/sweepExpired.ts';
import { createVaultFixture, failureOf, readOne, readThose } from '#test/vault/support/fixture.ts';

const test = suite('key rotation');
const fixture = await createVaultFixture();
const { vault, administration } = fixture;
const { owner } = fixture.database.pools;
const stream = 'token-a.b';
const noProgress = (): void => undefined;
const rewrap = (tenantId: string | undefined, onProgress: OnProgress = noProgress): Promise<Rewrapped> =>
  rewrapPayloads(administration, tenantId, { isKeptBy: () => Promise.resolve(true), onProgress });

const storeMany = async (tenantId: string, count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => randomUUID());
  await vault.storeAll(ids.map((id) => ({ id, tenantId, stream, data: id })));
  return ids;
};
const versionsOf = async (tenantId: string): Promise<string[]> => {
  const { dataKeys } = await keyStatus(administration);
  const tell = ({ version, state, payloads }: DataKeyStatus): string => `${version} ${state} ${payloads}`;
  return dataKeys.filter((key) => key.tenantId === tenantId).map(tell);
};
/** A process that reported at some time and is alive, but did not hear of the newest keys. */
const pretendProcess = async (generationsBehind: number, silentFor: string): Promise<string> => {
  const id = randomUUID();
  await owner.query(
    `insert into vault.key_processes select $1, generation - $2, now() - $3::interval from vault.key_state`,
    [id, generationsBehind, silentFor],
  );
  return id;
};

test('given a rotation of one tenant, then new payloads use the new version and old ones stay readable', async () => {
  const tenantId = await fixture.newTenant();
  const other = await fixture.newTenant();
  const [old = ''] = await storeMany(tenantId, 1);
  assert.is(await rotateDataKeys(administration, tenantId, noProgress), 1);
  const fresh = fixture.anotherVault();
  const id = randomUUID();
  await fresh.store({ id, tenantId, stream, data: 'new' });
  assert.equal(await versionsOf(tenantId), ['1 decrypt_only 1', '2 active 1']);
  assert.equal(await versionsOf(other), ['1 active 0']);
  assert.is(await (await readOne(fresh, tenantId, old)).data(), old);
  // This vault has the keys from before the rotation in its cache.
  assert.is(await (await readOne(vault, tenantId, id)).data(), 'new');
});

test('given rotated keys, when payloads are re-wrapped, then all is encrypted anew and readable', async () => {
  const tenantId = await fixture.newTenant();
  const ids = await storeMany(tenantId, 1_200);
  await owner.query('create table before as select * from vault.payloads where tenant_id = $1', [tenantId]);
  await rotateDataKeys(administration, tenantId, noProgress);
  const steps: number[] = [];
  const result = await rewrap(tenantId, ({ done, total }) => {
    assert.is(total, 1_200);
    steps.push(done);
  });
  assert.equal(result, { payloads: 1_200, left: 0, retired: 1, destroyed: 0 });
  assert.equal(steps, [500, 1_000, 1_200]);
  const untouched = await owner.query('select from before join vault.payloads using (ciphertext)');
  assert.is(untouched.rowCount, 0);
  const read = await readThose(fixture.anotherVault(), tenantId, ids);
  for (const [index, id] of ids.entries()) assert.is(await read[index]?.data(), id);
  assert.equal((await rewrap(tenantId)).payloads, 0);
});

test('given a process that has not reported, then the old version is not retired before it has, or fell silent', async () => {
  const tenantId = await fixture.newTenant();
  await storeMany(tenantId, 3);
  await rotateDataKeys(administration, tenantId, noProgress);
  await pretendProcess(5, '2 minutes');
  const behind = await pretendProcess(1, '1 second');
  let ended = false;
  const rewrapping = rewrap(tenantId).finally(() => {
    ended = true;
  });
  const status = await keyStatus(administration);
  assert.equal(
    status.processes.map(({ id, upToDate }) => ({ id, upToDate })),
    [{ id: behind, upToDate: false }],
  );
  assert.not.ok(ended);
  assert.equal(await versionsOf(tenantId), ['1 decrypt_only 3', '2 active 0']);
  await owner.query('update vault.key_processes set generation = generation + 1 where process_id = $1', [
    behind,
  ]);
  assert.equal(await rewrapping, { payloads: 3, left: 0, retired: 1, destroyed: 0 });
  await owner.query('delete from vault.key_processes');
});

test('given a process that slept through rotation and retirement, when it stores, then the new key is used', async () => {
  const tenantId = await fixture.newTenant();
  await storeMany(tenantId, 1);
  await rotateDataKeys(administration, tenantId, noProgress);
  await rewrap(tenantId);
  // Never started, so it reports nothing and holds the old keys.
  const ids = await storeMany(tenantId, 40);
  assert.equal(await versionsOf(tenantId), ['1 retired 0', '2 active 41']);
  assert.is((await readThose(fixture.anotherVault(), tenantId, ids)).length, 40);
});

test('given a version retired ten minutes ago, when re-wrapping runs again, then its key is destroyed', async () => {
  const tenantId = await fixture.newTenant();
  await storeMany(tenantId, 2);
  await rotateDataKeys(administration, tenantId, noProgress);
  await rewrap(tenantId);
  await owner.query(
    "update vault.tenant_keys set retired_at = retired_at - interval '11 minutes' where tenant_id = $1",
    [tenantId],
  );
  assert.is((await rewrap(tenantId)).destroyed, 1);
  assert.equal(await versionsOf(tenantId), ['2 active 2']);
  await vault.createTenantKeys(tenantId);
  assert.equal(await versionsOf(tenantId), ['2 active 2']);
});

test('given started processes under load, when keys rotate and re-wrap twice, then no read or write fails', async () => {
  const tenantId = await fixture.newTenant();
  const processes = [fixture.anotherVault(), fixture.anotherVault()];
  await Promise.all(processes.map((each) => each.start()));
  const stored: string[] = [];
  let running = true;
  const workers = Array.from({ length: 8 }, async (_, worker) => {
    const mine = processes[worker % 2] ?? vault;
    const other = processes[(worker + 1) % 2] ?? vault;
    while (running) {
      const id = randomUUID();
      await mine.store({ id, tenantId, stream, data: id });
      stored.push(id);
      assert.is(await (await readOne(other, tenantId, id)).data(), id);
      const earlier = stored[Math.floor(Math.random() * stored.length)] ?? id;
      assert.is(await (await readOne(mine, tenantId, earlier)).data(), earlier);
    }
  });
  for (let rotation = 0; rotation < 2; rotation += 1) {
    await rotateDataKeys(administration, undefined, noProgress);
    assert.ok((await rewrap(undefined)).payloads > 0);
  }
  running = false;
  await Promise.all(workers);
  const status = await keyStatus(administration);
  assert.is(status.processes.length, 2);
  const read = await readThose(fixture.anotherVault(), tenantId, stored);
  for (const [index, id] of stored.entries()) assert.is(await read[index]?.data(), id);
});

test('given two rotations of one tenant at once, then there is one active version', async () => {
  const tenantId = await fixture.newTenant();
  await Promise.all([1, 2, 3].map(() => rotateDataKeys(administration, tenantId, noProgress)));
  const versions = await versionsOf(tenantId);
  assert.is(versions.filter((version) => version.includes('active')).length, 1);
  assert.match(versions.at(-1) ?? '', /active/);
});

test('given destroyed keys, then no process reads or stores for the tenant again, and its rows are swept', async () => {
  const tenantId = await fixture.newTenant();
  const [id = ''] = await storeMany(tenantId, 10);
  const other = fixture.anotherVault();
  const readBefore = await readOne(vault, tenantId, id);
  assert.is(await (await readOne(other, tenantId, id)).data(), id);
  await vault.destroyTenantKeys(tenantId);
  assert.instance(await failureOf(readBefore.data()), TenantKeysMissing);
  for (const each of [vault, other]) {
    assert.is((await readThose(each, tenantId, [id])).length, 0);
    const stored = each.store({ id: randomUUID(), tenantId, stream, data: 1 });
    assert.instance(await failureOf(stored), TenantKeysMissing);
  }
  assert.instance(await failureOf(vault.createTenantKeys(tenantId)), TenantKeysMissing);
  await vault.destroyTenantKeys(tenantId);
  assert.is(await sweepDestroyedTenants(owner), 0);
  await owner.query("update vault.destroyed_tenants set destroyed_at = destroyed_at - interval '2 minutes'");
  assert.is(await sweepDestroyedTenants(owner), 10);
  assert.is(await sweepDestroyedTenants(owner), 0);
});

test('given started processes, when a tenant is destroyed elsewhere, then they drop its keys by themselves', async () => {
  const tenantId = await fixture.newTenant();
  const other = fixture.anotherVault();
  await other.start();
  await other.fingerprint(tenantId, 'card', 'a');
  await vault.destroyTenantKeys(tenantId);
  const deadline = Date.now() + 10_000;
  const dropped = async (): Promise<boolean> => {
    try {
      await other.fingerprint(tenantId, 'card', 'a');
      return false;
    } catch (error) {
      return error instanceof TenantKeysMissing;
    }
  };
  while (!(await dropped())) {
    if (Date.now() > deadline) assert.unreachable('the keys were never dropped');
    await new Promise((resolve) => setImmediate(resolve));
  }
});

test('given the keyring, then it loads once for concurrent callers and forgets after its time', async () => {
  const tenantId = await fixture.newTenant();
  let elapsed = 0;
  let loads = 0;
  const load = (id: string): Promise<TenantKeys> => {
    loads += 1;
    return loadTenantKeys(owner, administration, id);
  };
  const keyring = createKeyring(load, () => elapsed);
  const [first] = await Promise.all([keyring.of(tenantId), keyring.of(tenantId), keyring.of(tenantId)]);
  assert.is(loads, 1);
  elapsed = keyLifetime - 1;
  await keyring.of(tenantId);
  assert.is(loads, 1);
  elapsed = keyLifetime;
  await keyring.of(tenantId);
  assert.is(loads, 2);
  keyring.refuse(tenantId, first);
  await keyring.of(tenantId);
  assert.is(loads, 2);
  keyring.drop(tenantId);
  await keyring.of(tenantId);
  assert.is(loads, 3);
  await failureOf(keyring.of(randomUUID()));
});

test.after(fixture.close);
test.run();
