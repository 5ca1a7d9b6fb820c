import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredCredential } from '#ports/credentials.ts';
import { newCredentials } from '#test/vault/support/credentials.ts';
import { createVaultFixture } from '#test/vault/support/fixture.ts';

const test = suite('credentials');
const fixture = await createVaultFixture();
const { keyProvider } = fixture;
const pool = fixture.database.pools.vault;
const credentials = newCredentials(pool, keyProvider);
const newCredential = (): StoredCredential => ({
  tenantId: randomUUID(),
  applicationId: randomUUID(),
  keyId: randomUUID(),
});

test('given the three types, when keys are made, then they have the documented form and are all different', () => {
  const made = new Set<string>();
  for (const [type, code] of [
    ['public', 'pub'],
    ['private', 'pvt'],
    ['management', 'mgt'],
  ] as const) {
    for (let count = 0; count < 200; count += 1) {
      const key = credentials.generate(type);
      assert.match(key, new RegExp(`^key_test_${code}_[A-Za-z0-9]{38}$`));
      assert.ok(key.length <= 100);
      assert.ok(credentials.wellFormed(key));
      made.add(key);
    }
  }
  assert.is(made.size, 600);
});

test('given a key, when one character is changed, cut or added, then it is not well formed', () => {
  const key = credentials.generate('private');
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom(...'abcXYZ019_-. '), (at, character) => {
      const changed = key.slice(0, at) + character + key.slice(at + 1);
      assert.is(credentials.wellFormed(changed), changed === key);
      assert.not.ok(credentials.wellFormed(key.slice(0, at)));
      assert.not.ok(credentials.wellFormed(key + character));
    }),
  );
  for (const other of ['', 'key_', `${key}\n`, key.toUpperCase(), 'a'.repeat(100_000)]) {
    assert.not.ok(credentials.wellFormed(other));
  }
});

test('given stored keys, when they are looked up at once, also elsewhere, then each finds its own', async () => {
  const elsewhere = newCredentials(pool, keyProvider);
  const stored = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const credential = newCredential();
      const key = credentials.generate('private');
      await credentials.store(credential, key);
      return { credential, key };
    }),
  );
  const found = await Promise.all(stored.map(({ key }) => elsewhere.find(key)));
  assert.equal(
    found,
    stored.map(({ credential }) => credential),
  );
});

test('given an unknown or malformed key, when it is looked up, then there is nothing', async () => {
  assert.is(await credentials.find(credentials.generate('public')), undefined);
  assert.is(await credentials.find('nonsense'), undefined);
});

test('given a key id, when another secret is stored for it, then only that one opens', async () => {
  const credential = newCredential();
  const [first, second] = [credentials.generate('public'), credentials.generate('public')];
  await credentials.store(credential, first);
  await credentials.store(credential, second);
  await credentials.store(credential, second);
  assert.is(await credentials.find(first), undefined);
  assert.equal(await credentials.find(second), credential);
});

test('given several keys of an application, when one or all are removed, then just those are gone', async () => {
  const { tenantId, applicationId } = newCredential();
  const keys = await Promise.all(
    [1, 2, 3].map(async () => {
      const keyId = randomUUID();
      const key = credentials.generate('private');
      await credentials.store({ tenantId, applicationId, keyId }, key);
      return { keyId, key };
    }),
  );
  const alive = async (): Promise<boolean[]> =>
    Promise.all(keys.map(async ({ key }) => (await credentials.find(key)) !== undefined));
  await credentials.removeKey(randomUUID(), keys[0]?.keyId ?? '');
  assert.equal(await alive(), [true, true, true]);
  await credentials.removeKey(tenantId, keys[0]?.keyId ?? '');
  assert.equal(await alive(), [false, true, true]);
  await credentials.removeApplication(randomUUID(), applicationId);
  assert.equal(await alive(), [false, true, true]);
  await credentials.removeApplication(tenantId, applicationId);
  assert.equal(await alive(), [false, false, false]);
});

test('given a stored key, when the table is scanned, then neither key nor its plain hash is there', async () => {
  const key = credentials.generate('management');
  await credentials.store(newCredential(), key);
  const { rows } = await fixture.database.pools.owner.query<{ line: string }>(
    'select c::text as line from vault.credentials c',
  );
  const { rows: hashes } = await fixture.database.pools.owner.query<{ hash: string }>(
    "select encode(sha256($1), 'hex') as hash",
    [Buffer.from(key)],
  );
  const content = rows.map(({ line }) => line).join('\n');
  for (const secret of [key, Buffer.from(key).toString('hex'), hashes[0]?.hash ?? '']) {
    assert.not.ok(content.includes(secret));
  }
});

test.after(fixture.close);
test.run();
