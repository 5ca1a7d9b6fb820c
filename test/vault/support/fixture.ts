import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '#ports/clock.ts';
import type { KeyProvider } from '#ports/keyProvider.ts';
import type { StoredPayload, Vault } from '#ports/vault.ts';
import type { Administration } from '#infra/vault/administration/administration.ts';
import { openKeyProvider } from '#infra/vault/keyProviders/openKeyProvider.ts';
import { createVault } from '#infra/vault/vault.ts';
import type { RunningVault } from '#infra/vault/vault.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

export type TestClock = Clock & { advance(milliseconds: number): void };

export type VaultFixture = {
  database: TestDatabase;
  clock: TestClock;
  keyProvider: KeyProvider;
  /** What key administration and sweeps get. */
  administration: Administration;
  vault: RunningVault;
  /** Another process on the same database. */
  anotherVault(): RunningVault;
  newTenant(): Promise<string>;
  close(): Promise<void>;
};

export const environment = 'test';

/** A clock that stands still until it is told. */
export function createTestClock(start = new Date('2030-01-01T00:00:30Z')): TestClock {
  let time = start.getTime();
  return {
    now: () => new Date(time),
    advance: (milliseconds) => {
      time += milliseconds;
    },
  };
}

export async function createVaultFixture(): Promise<VaultFixture> {
  const database = await createTestDatabase();
  const clock = createTestClock();
  const pool = database.pools.vault;
  const keyProvider = await openKeyProvider({
    pool,
    environment,
    source: { value: randomBytes(32).toString('base64') },
    logger: silentLogger,
  });
  const vaults: RunningVault[] = [];
  const anotherVault = (): RunningVault => {
    const created = createVault({ pool, keyProvider, clock, environment, logger: silentLogger });
    vaults.push(created);
    return created;
  };
  const vault = anotherVault();
  return {
    database,
    clock,
    keyProvider,
    administration: { pool: database.pools.owner, keyProvider, environment },
    vault,
    anotherVault,
    newTenant: async () => {
      const tenantId = randomUUID();
      await vault.createTenantKeys(tenantId);
      return tenantId;
    },
    close: async () => {
      await Promise.all(vaults.map((each) => each.close()));
      await database.drop();
    },
  };
}

/** The record that payloads of these tests belong to, unless they say another. */
export const anyStream = 'token-a.b';

/** Reads one payload that must be there. */
export async function readOne(
  vault: Vault,
  tenantId: string,
  id: string,
  stream = anyStream,
): Promise<StoredPayload> {
  const [payload] = await vault.read(tenantId, [{ id, stream }]);
  if (payload === undefined) throw new Error('the payload is missing');
  return payload;
}

/** Those of some payloads that are there, in their order. */
export async function readThose(
  vault: Pick<Vault, 'read'>,
  tenantId: string,
  ids: readonly string[],
): Promise<StoredPayload[]> {
  const references = ids.map((id) => ({ id, stream: anyStream }));
  return (await vault.read(tenantId, references)).filter((payload) => payload !== undefined);
}

/** The error that a promise ends with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it did not fail');
}
