import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IntegrityError } from '#ports/vault.ts';
import { rewrapPayloads } from '#infra/vault/administration/rewrap.ts';
import type { IsKeptBy, Rewrapped } from '#infra/vault/administration/rewrap.ts';
import { keyStatus } from '#infra/vault/administration/status.ts';
import type { DataKeyStatus } from '#infra/vault/administration/status.ts';
import { createEpochKeys } from '#infra/vault/shortLived/epochKeys.ts';
import { epochOf } from '#infra/vault/shortLived/epochs.ts';
import { loadTenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import {
  anyStream as stream,
  createVaultFixture,
  environment,
  failureOf,
  readOne,
  readThose,
} from '#test/vault/support/fixture.ts';
import { sealPartAsBefore, storeAsBefore } from '#test/vault/support/oldEnvelope.ts';

const test = suite('payloads of earlier versions');
const fixture = await createVaultFixture();
const { vault, clock, administration, database } = fixture;
const { owner, vault: vaultPool } = database.pools;
const another = 'token-a.c';

const storeOld = async (tenantId: string, count: number, expiresAt?: Date): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) {
    const expiring = expiresAt === undefined ? {} : { expiresAt };
    await storeAsBefore(administration, { id, tenantId, stream, data: id, ...expiring });
  }
  return ids;
};
const rewrap = (
  tenantId: string,
  isKeptBy: IsKeptBy = () => Promise.resolve(true),
  onProgress = (): void => undefined,
): Promise<Rewrapped> => rewrapPayloads(administration, tenantId, { isKeptBy, onProgress });
const versionsOf = async (tenantId: string): Promise<string[]> => {
  const { dataKeys } = await keyStatus(administration);
  const tell = ({ version, state, payloads, unbound }: DataKeyStatus): string =>
    `${version} ${state} ${payloads} ${unbound}`;
  return dataKeys.filter((key) => key.tenantId === tenantId).map(tell);
};

test('given an old payload, then it is readable, and its key status tells of it', async () => {
  const tenantId = await fixture.newTenant();
  const [id = ''] = await storeOld(tenantId, 1);
  assert.is(await (await readOne(vault, tenantId, id)).data(), id);
  assert.equal(await versionsOf(tenantId), ['1 active 1 1']);
});

test('given old payloads, when they are re-wrapped, then they are bound to their record under a next key', async () => {
  const tenantId = await fixture.newTenant();
  const ids = await storeOld(tenantId, 600);
  assert.equal(await rewrap(tenantId), { payloads: 600, left: 0, retired: 1, destroyed: 0 });
  assert.equal(await versionsOf(tenantId), ['1 retired 0 0', '2 active 600 0']);
  const read = await readThose(fixture.anotherVault(), tenantId, ids);
  for (const [index, id] of ids.entries()) assert.is(await read[index]?.data(), id);
  const [id = ''] = ids;
  const moved = await readOne(fixture.anotherVault(), tenantId, id, another);
  assert.instance(await failureOf(moved.data()), IntegrityError);
  assert.equal(await rewrap(tenantId), { payloads: 0, left: 0, retired: 0, destroyed: 0 });
});

test('given a run that was stopped in the middle, when it runs again, then it does the rest', async () => {
  const tenantId = await fixture.newTenant();
  const ids = await storeOld(tenantId, 700);
  const stopped = rewrap(tenantId, undefined, () => {
    throw new Error('stopped');
  });
  assert.is((await failureOf(stopped)).message, 'stopped');
  assert.equal(await versionsOf(tenantId), ['1 decrypt_only 200 200', '2 active 500 0']);
  assert.is((await rewrap(tenantId)).payloads, 200);
  assert.equal(await versionsOf(tenantId), ['1 retired 0 0', '2 active 700 0']);
  const read = await readThose(vault, tenantId, ids);
  for (const [index, id] of ids.entries()) assert.is(await read[index]?.data(), id);
});

test('given a writer who gave an old row to another record, when it is re-wrapped, then it stays unbound and is counted', async () => {
  const tenantId = await fixture.newTenant();
  const [honest = '', stolen = ''] = await storeOld(tenantId, 2);
  await owner.query('update vault.payloads set stream = $2 where id = $1', [stolen, another]);
  const isKeptBy: IsKeptBy = (of) => Promise.resolve(of === stream);
  assert.equal(await rewrap(tenantId, isKeptBy), { payloads: 1, left: 1, retired: 0, destroyed: 0 });
  assert.equal(await versionsOf(tenantId), ['1 decrypt_only 1 1', '2 active 1 0']);
  assert.is(await (await readOne(vault, tenantId, honest)).data(), honest);
});

test('given old payloads that go by themselves, when they are re-wrapped, then they stay until then', async () => {
  const tenantId = await fixture.newTenant();
  const [id = ''] = await storeOld(tenantId, 1, new Date(clock.now().getTime() + 86_400_000));
  const asked = (): Promise<boolean> => Promise.reject(new Error('asked'));
  assert.equal(await rewrap(tenantId, asked), { payloads: 0, left: 1, retired: 0, destroyed: 0 });
  assert.is(await (await readOne(vault, tenantId, id)).data(), id);
});

test('given one that cannot be decrypted among others, when they are re-wrapped, then it alone is left', async () => {
  const tenantId = await fixture.newTenant();
  const [damaged = ''] = await storeOld(tenantId, 3);
  await owner.query("update vault.payloads set ciphertext = ciphertext || '\\x00' where id = $1", [damaged]);
  assert.equal(await rewrap(tenantId), { payloads: 2, left: 1, retired: 0, destroyed: 0 });
});

test('given a new ciphertext in an old row, or an old in a new one, when it is read, then it is refused', async () => {
  const tenantId = await fixture.newTenant();
  const [old = ''] = await storeOld(tenantId, 1);
  const fresh = randomUUID();
  await vault.store({ id: fresh, tenantId, stream, data: 'new' });
  await owner.query('create table rows_before as select * from vault.payloads');
  const forms = [
    [fresh, 'wrapped_key = s.wrapped_key'],
    [fresh, 'wrapped_key = s.wrapped_key, salt = null, ciphertext = s.ciphertext'],
    [fresh, 'ciphertext = s.ciphertext'],
    [old, 'wrapped_key = null'],
    [old, 'wrapped_key = null, salt = s.salt, ciphertext = s.ciphertext'],
    [old, 'wrapped_key = null, salt = s.salt'],
  ];
  for (const [to = '', put = ''] of forms) {
    await owner.query(`update vault.payloads p set ${put} from rows_before s where p.id = $1 and s.id = $2`, [
      to,
      to === old ? fresh : old,
    ]);
    assert.instance(await failureOf((await readOne(vault, tenantId, to)).data()), IntegrityError, put);
    await owner.query(
      `update vault.payloads p set wrapped_key = s.wrapped_key, salt = s.salt, ciphertext = s.ciphertext
       from rows_before s where p.id = s.id`,
    );
  }
});

test('given a code that was stored before the upgrade, then it is readable for the rest of its hour', async () => {
  const tenantId = await fixture.newTenant();
  const id = randomUUID();
  const storedAt = clock.now();
  await vault.store({ id, tenantId, stream, data: 1, shortLived: { value: '1', storedAt } });
  const keys = await loadTenantKeys(owner, administration, tenantId);
  const { key } = await createEpochKeys(vaultPool, environment).forStoring(tenantId, keys, epochOf(storedAt));
  await owner.query('update vault.short_lived_parts set ciphertext = $2 where payload_id = $1', [
    id,
    sealPartAsBefore(environment, tenantId, id, key, '987', storedAt),
  ]);
  assert.equal(await (await readOne(vault, tenantId, id)).shortLived(), { value: '987', storedAt });
});

test('given a new code whose number was made that of earlier versions, when it is read, then it is refused', async () => {
  const tenantId = await fixture.newTenant();
  const id = randomUUID();
  await vault.store({ id, tenantId, stream, data: 1, shortLived: { value: '1', storedAt: clock.now() } });
  await owner.query(
    'update vault.short_lived_parts set ciphertext = set_byte(ciphertext, 0, 2) where payload_id = $1',
    [id],
  );
  assert.instance(await failureOf((await readOne(vault, tenantId, id)).shortLived()), IntegrityError);
});

test.after(fixture.close);
test.run();
