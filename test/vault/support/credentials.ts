import type pg from 'pg';
import { createCredentials } from '#infra/vault/credentials/credentials.ts';
import { loadSystemKey } from '#infra/vault/keys/systemKey.ts';
import type { Credentials } from '#ports/credentials.ts';
import type { IntegrityAlarm } from '#ports/integrityAlarm.ts';
import type { KeyProvider } from '#ports/keyProvider.ts';
import { environment } from '#test/vault/support/fixture.ts';

/** Credentials as a process has them. */
export const newCredentials = (
  pool: pg.Pool,
  keyProvider: KeyProvider,
  alarm: IntegrityAlarm = () => undefined,
): Credentials => {
  const macKey = () => loadSystemKey(pool, { keyProvider, environment }, 'rights');
  return createCredentials({ pool, keyProvider, environment, macKey, alarm });
};
