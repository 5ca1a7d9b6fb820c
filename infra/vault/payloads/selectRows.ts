import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { asTenant } from '#infra/vault/tenantStatement.ts';

/** A payload as it is read; the part's columns are null together. */
export type StoredRow = {
  id: string;
  key_version: number;
  salt: Buffer | null;
  /** In rows of earlier versions. */
  wrapped_key: Buffer | null;
  ciphertext: Buffer;
  fingerprint: string | null;
  epoch: string | null;
  epoch_key_id: string | null;
  part: Buffer | null;
  stored_at: Date | null;
};

/**
 * Payloads of one tenant that have not expired. A tenant without keys has none: destruction holds at once in
 * every process, whatever its memory still knows.
 * @throws StoreUnavailable
 */
export async function selectRows(
  pool: Pick<pg.Pool, 'query'>,
  tenantId: string,
  ids: readonly string[],
  now: Date,
): Promise<StoredRow[]> {
  const { rows } = await reachable(() =>
    pool.query<StoredRow>({ name: 'vault read', text: readStatement, values: [tenantId, ids, now] }),
  );
  return rows;
}

const readStatement = `${asTenant}
  select p.* from tenant cross join lateral (
    select p.id, p.key_version, p.salt, p.wrapped_key, p.ciphertext, p.fingerprint,
      part.epoch, part.epoch_key_id, part.ciphertext as part, part.stored_at
    from vault.payloads p
    left join lateral (
      select * from vault.short_lived_parts s where s.tenant_id = tenant.id and s.payload_id = p.id offset 0
    ) part on true
    where p.tenant_id = tenant.id and p.id = any($2::uuid[]) and (p.expires_at is null or p.expires_at > $3)
      and exists (select from vault.tenant_keys k where k.tenant_id = tenant.id and k.purpose = 'data')
    offset 0
  ) p`;
