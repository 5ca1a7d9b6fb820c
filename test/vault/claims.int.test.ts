import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFingerprintClaims } from '#infra/vault/fingerprints/claims.ts';
import { sweepFingerprintClaims } from '#infra/vault/sweeps/sweepFingerprintClaims.ts';
import { createTestDatabase } from '#test/support/database.ts';

const test = suite('claims on fingerprints');
const database = await createTestDatabase();
const { owner, api } = database.pools;
const claims = createFingerprintClaims(api);
const [tenant, slow, other] = [randomUUID(), randomUUID(), randomUUID()];
const age = async (seconds: number): Promise<void> => {
  await owner.query(
    'update work.fingerprint_claims set lease_until = lease_until - make_interval(secs => $1)',
    [seconds],
  );
};

test('given a claim, when its time is not over, then nobody else gets it; when it is, then another does', async () => {
  assert.is(await claims.take(tenant, 'a', slow), true);
  assert.is(await claims.take(tenant, 'a', other), false);
  await age(14);
  assert.is(await claims.take(tenant, 'a', other), false);
  await age(2);
  assert.is(await claims.take(tenant, 'a', other), true);
});

test('given a claim that ran out, when nobody took it, then it is confirmed, and lasts for an append', async () => {
  await claims.take(tenant, 'b', slow);
  await age(60);
  assert.is(await claims.confirm(tenant, ['b'], slow), true);
  assert.is(await claims.take(tenant, 'b', other), false);
});

test('given a claim that another took, or took and gave up, when it is confirmed, then it is lost', async () => {
  await claims.take(tenant, 'c', slow);
  await claims.take(tenant, 'd', slow);
  await age(60);
  await claims.take(tenant, 'd', other);
  assert.is(await claims.confirm(tenant, ['c', 'd'], slow), false);
  await claims.release(tenant, 'd', other);
  assert.is(await claims.confirm(tenant, ['d'], slow), false);
  await sweepFingerprintClaims(owner);
  assert.is(await claims.confirm(tenant, ['d'], slow), false);
  assert.is(await claims.confirm(randomUUID(), ['c'], slow), false);
});

test.after(database.drop);
test.run();
