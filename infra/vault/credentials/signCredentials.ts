import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import { credentialMac } from '#infra/vault/credentials/credentialMac.ts';
import type { CredentialRow } from '#infra/vault/credentials/credentialMac.ts';

const pageSize = 1_000;

/** Credentials without a MAC. */
export async function countUnsigned(pool: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    'select count(*) from vault.credentials where mac is null',
  );
  return Number(rows[0]?.count ?? 0);
}

/** Gives every credential without a MAC its own, as it is. @param pool of the owner */
export async function signCredentials(pool: Pick<pg.Pool, 'query'>, key: KeyObject): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<CredentialRow>(
      `select tenant_id, application_id, key_id, digest from vault.credentials where mac is null limit ${pageSize}`,
    );
    if (rows.length === 0) return;
    await pool.query(
      `update vault.credentials c set mac = signed.mac
       from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[]) signed (tenant_id, key_id, digest, mac)
       where c.tenant_id = signed.tenant_id and c.key_id = signed.key_id and c.digest = signed.digest`,
      [
        rows.map((row) => row.tenant_id),
        rows.map((row) => row.key_id),
        rows.map((row) => row.digest),
        rows.map((row) => credentialMac(key, row)),
      ],
    );
  }
}

/** Whether what there was before anything was signed has been signed. */
export async function areRightsSigned(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  return ((await pool.query('select from vault.signed_rights')).rowCount ?? 0) > 0;
}

export async function noteRightsSigned(pool: Pick<pg.Pool, 'query'>): Promise<void> {
  await pool.query('insert into vault.signed_rights default values on conflict do nothing');
}
