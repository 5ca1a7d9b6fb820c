import type pg from 'pg';
import { inTransaction } from '#infra/vault/tenantStatement.ts';

/** Entries are written a moment after they are dated: so much is looked at again. */
const overlap = '5 minutes';

/** Notes which tokens the newest entries of the audit log speak of. @param pool of the owner */
export function countActiveTokens(pool: pg.Pool, now: Date): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ counted_to: Date }>(
      'select counted_to from work.active_tokens_counted for update',
    );
    await client.query(
      `insert into work.active_tokens (tenant_id, month, token_id)
       select distinct tenant_id, date_trunc('month', occurred_at at time zone 'utc')::date, entity_id
       from audit.entries
       where occurred_at >= $1::timestamptz - interval '${overlap}' and occurred_at < $2
         and entity_type = 'token' and entity_id <> '' and outcome = 'succeeded' and tenant_id is not null
       on conflict do nothing`,
      [rows[0]?.counted_to, now],
    );
    await client.query('update work.active_tokens_counted set counted_to = greatest(counted_to, $1)', [now]);
  });
}
