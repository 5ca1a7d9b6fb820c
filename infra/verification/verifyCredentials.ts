import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import { credentialMac } from '#infra/vault/credentials/credentialMac.ts';
import type { CredentialRow } from '#infra/vault/credentials/credentialMac.ts';
import { isSameMac } from '#infra/vault/signing/stateSigner.ts';

/** Credentials that are read at once. */
const pageSize = 2_000;
const nothing = '00000000-0000-0000-0000-000000000000';

export type CredentialsVerified = { credentials: number; faults: string[] };

/** Finds credentials that are not what was stored. @param database connections of the owner */
export async function verifyCredentials(
  database: Pick<pg.Pool, 'query'>,
  key: KeyObject,
): Promise<CredentialsVerified> {
  const faults: string[] = [];
  let credentials = 0;
  let after = { tenant_id: nothing, key_id: nothing };
  for (;;) {
    const { rows } = await database.query<CredentialRow & { mac: string | null }>(
      `select tenant_id, application_id, key_id, digest, mac from vault.credentials
       where (tenant_id, key_id) > ($1, $2) order by tenant_id, key_id limit ${pageSize}`,
      [after.tenant_id, after.key_id],
    );
    const last = rows.at(-1);
    if (last === undefined) return { credentials, faults };
    credentials += rows.length;
    for (const row of rows) {
      if (isSameMac(row.mac, credentialMac(key, row))) continue;
      faults.push(
        `tenant ${row.tenant_id}: the credential of key ${row.key_id} was changed, or is none of ours`,
      );
    }
    after = last;
  }
}
