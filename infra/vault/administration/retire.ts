import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { silence } from '#infra/vault/keys/processes.ts';

const pollInterval = 200;

/**
 * Waits until every process has reported the newest keys. A process that is silent for a minute no longer
 * counts: should it wake, the store refuses what it encrypts with a retired key.
 */
export async function awaitReports(pool: pg.Pool): Promise<void> {
  while ((await processesBehind(pool)) > 0) await setTimeout(pollInterval);
}

async function processesBehind(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ behind: number }>(
    `select count(*)::int4 as behind from vault.key_processes p cross join vault.key_state s
     where p.generation < s.generation and p.seen_at > now() - interval '${silence} seconds'`,
  );
  return rows[0]?.behind ?? 0;
}

/** Retires old versions that nothing is encrypted under and that every process has left. Answers how many. */
export async function retireUnused(pool: pg.Pool, tenants: readonly string[]): Promise<number> {
  const { rowCount } = await pool.query(
    `update vault.tenant_keys k set state = 'retired', retired_at = now()
     where purpose = 'data' and state = 'decrypt_only' and tenant_id = any($1::uuid[])
       and not exists (
         select from vault.key_processes p
         where p.generation < k.generation and p.seen_at > now() - interval '${silence} seconds'
       )
       and not exists (
         select from vault.payloads p where p.tenant_id = k.tenant_id and p.key_version = k.version
       )`,
    [tenants],
  );
  return rowCount ?? 0;
}

/**
 * Destroys versions that have been retired for longer than any statement lasts: a store that was under way as
 * its key retired has been re-wrapped, or is still there to keep the key. The data keys of days that they wrap go with
 * them. Answers how many versions.
 */
export async function destroyRetired(pool: pg.Pool, tenants: readonly string[]): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from vault.tenant_keys k
     where purpose = 'data' and state = 'retired' and tenant_id = any($1::uuid[])
       and retired_at < now() - interval '10 minutes'
       and not exists (
         select from vault.payloads p where p.tenant_id = k.tenant_id and p.key_version = k.version
       )`,
    [tenants],
  );
  await pool.query(
    `delete from vault.data_keys d where tenant_id = any($1::uuid[]) and not exists (
       select from vault.tenant_keys k
       where k.tenant_id = d.tenant_id and k.purpose = 'data' and k.version = d.key_version
     )`,
    [tenants],
  );
  return rowCount ?? 0;
}
