import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KeyProvider } from '#ports/keyProvider.ts';
import { RootKeyRefused } from '#ports/keyProvider.ts';
import { IntegrityError } from '#ports/vault.ts';
import { rotateRootKey } from '#infra/vault/administration/rotateRoot.ts';
import { keyStatus } from '#infra/vault/administration/status.ts';
import { newCredentials } from '#test/vault/support/credentials.ts';
import { createKeyFile } from '#infra/vault/keyProviders/fileKeyProvider.ts';
import { openKeyProvider } from '#infra/vault/keyProviders/openKeyProvider.ts';
import type { RootKeySource } from '#infra/vault/keyProviders/openKeyProvider.ts';
import { createVault } from '#infra/vault/vault.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { createTestClock, environment, failureOf, readOne } from '#test/vault/support/fixture.ts';

const test = suite('root key');
const directory = await mkdtemp(join(tmpdir(), 'holdfast-root-key-'));
const newKey = (): string => randomBytes(32).toString('base64');
const newFile = (): string => join(directory, randomUUID(), 'root.key');

const withDatabase = async (work: (database: TestDatabase) => Promise<void>): Promise<void> => {
  const database = await createTestDatabase();
  try {
    await work(database);
  } finally {
    await database.drop();
  }
};
const openWith = (
  { pools }: TestDatabase,
  source: RootKeySource,
  inEnvironment = environment,
): Promise<KeyProvider> =>
  openKeyProvider({ pool: pools.vault, environment: inEnvironment, source, logger: silentLogger });
const refusal = async (opening: Promise<unknown>): Promise<string> => {
  const error = await failureOf(opening);
  assert.instance(error, RootKeyRefused);
  return error.message;
};

test('given an empty database, when it starts twice, then one key file of its owner alone is made and kept', () =>
  withDatabase(async (database) => {
    const file = newFile();
    const first = await openWith(database, { file });
    const content = await readFile(file, 'utf8');
    assert.is((await stat(file)).mode & 0o777, 0o600);
    const second = await openWith(database, { file });
    assert.is(await readFile(file, 'utf8'), content);
    assert.is(await second.rootKey(), await first.rootKey());
  }));

test('given 20 processes that start at once, then they make one key file and leave nothing beside it', async () => {
  const file = newFile();
  await Promise.all(Array.from({ length: 20 }, () => createKeyFile(file)));
  assert.equal(await readdir(join(file, '..')), ['root.key']);
  assert.match(await readFile(file, 'utf8'), /^[A-Za-z0-9+/]{43}=\n$/);
});

test('given a database in use, when the key file is missing, then it says so and makes none', () =>
  withDatabase(async (database) => {
    const file = newFile();
    await openWith(database, { file });
    await rm(file);
    assert.match(await refusal(openWith(database, { file })), /root key file .* is missing/);
    assert.equal(await readdir(join(file, '..')), []);
  }));

test('given a database in use, when the key is another, then it names both by their check values', () =>
  withDatabase(async (database) => {
    const right = await openWith(database, { value: newKey() });
    const message = await refusal(openWith(database, { value: newKey() }));
    assert.match(message, /made with root key [0-9a-f]{16}, and the root key given is [0-9a-f]{16}/);
    assert.ok(message.includes(await right.rootKey()));
  }));

test('given a database of one environment, when it is opened as another, then it is refused', () =>
  withDatabase(async (database) => {
    const value = newKey();
    await openWith(database, { value });
    assert.match(await refusal(openWith(database, { value }, 'production')), /environment production/);
  }));

test('given wrapped keys whose check row was taken away, when another key is given, then it is refused', () =>
  withDatabase(async (database) => {
    const keyProvider = await openWith(database, { value: newKey() });
    const credentials = newCredentials(database.pools.vault, keyProvider);
    const credential = { tenantId: randomUUID(), applicationId: randomUUID(), keyId: randomUUID() };
    await credentials.store(credential, credentials.generate('public'));
    await database.pools.owner.query('delete from vault.root_key_check');
    assert.match(await refusal(openWith(database, { value: newKey() })), /check .* is missing/);
  }));

test('given a malformed key, when it is opened, then one sentence says what a key is', () =>
  withDatabase(async (database) => {
    const malformed = ['', 'short', `${newKey()}x`, randomBytes(31).toString('base64'), '!'.repeat(44)];
    for (const value of malformed) assert.match(await refusal(openWith(database, { value })), /root key is/);
    const file = newFile();
    await createKeyFile(file);
    await writeFile(file, 'half a ke');
    assert.match(await refusal(openWith(database, { file })), /32 bytes in base64/);
  }));

test('given a directory that cannot be made, then one sentence says so', () =>
  withDatabase(async (database) => {
    const blocked = join(directory, 'blocked');
    await writeFile(blocked, '');
    assert.match(
      await refusal(openWith(database, { file: join(blocked, 'root.key') })),
      /root key file .* cannot be written/,
    );
  }));

test('given a key file that others may read, when it is opened, then a warning tells', () =>
  withDatabase(async (database) => {
    const file = newFile();
    await createKeyFile(file);
    await chmod(file, 0o644);
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (_: object, message: string) => warnings.push(message) };
    await openKeyProvider({ pool: database.pools.vault, environment, source: { file }, logger });
    assert.match(warnings.join(), /can be read by others/);
  }));

test('given a key wrapped for one use, when it is unwrapped for another, then it is refused', () =>
  withDatabase(async (database) => {
    const provider = await openWith(database, { value: newKey() });
    const wrapped = await provider.wrap(randomBytes(32), { tenant: 'a', purpose: 'data' });
    assert.is((await provider.unwrap(wrapped, { purpose: 'data', tenant: 'a' })).length, 32);
    const elsewhere = provider.unwrap(wrapped, { tenant: 'b', purpose: 'data' });
    assert.instance(await failureOf(elsewhere), IntegrityError);
  }));

test('given a running process, when the root key is rotated, then all is wrapped anew and it goes on', () =>
  withDatabase(async (database) => {
    const file = newFile();
    const keyProvider = await openWith(database, { file });
    const { vault: pool, owner } = database.pools;
    const clock = createTestClock();
    const running = createVault({ pool, keyProvider, clock, environment, logger: silentLogger });
    const tenantId = randomUUID();
    const id = randomUUID();
    await running.createTenantKeys(tenantId);
    await running.store({ id, tenantId, stream: 's', data: 'kept' });
    const before = await keyProvider.rootKey();

    const ownProvider = await openWith(database, { file });
    const administration = { pool: owner, keyProvider: ownProvider, environment };
    assert.is(await rotateRootKey(administration, file, () => undefined), 5);

    const after = await keyProvider.rootKey();
    assert.is.not(after, before);
    assert.equal((await keyStatus(administration)).rootKeys, [{ name: after, keys: 5 }]);
    assert.is((await stat(file)).mode & 0o777, 0o600);
    const [newest = ''] = (await readFile(file, 'utf8')).split('\n');
    const fresh = await openWith(database, { value: newest });
    const restarted = createVault({ pool, keyProvider: fresh, clock, environment, logger: silentLogger });
    assert.is(await (await readOne(restarted, tenantId, id, 's')).data(), 'kept');
    const another = randomUUID();
    await running.createTenantKeys(another);
    const stored = { id: randomUUID(), tenantId: another, stream: 's', data: 'new' };
    await running.store(stored);
    assert.is(await (await readOne(restarted, another, stored.id, 's')).data(), 'new');
  }));

test.after(() => rm(directory, { recursive: true, force: true }));
test.run();
