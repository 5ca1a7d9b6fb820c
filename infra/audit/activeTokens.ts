import type pg from 'pg';
import { writersQuery } from '#infra/audit/writersQuery.ts';
import { inTransaction } from '#infra/vault/tenantStatement.ts';

const statement = `
  with fresh as materialized (
    select w.writer_id, coalesce(c.counted_to, 0) as counted_to, newest.sequence
    from (${writersQuery}) w
    left join work.counted_entries c on c.writer_id = w.writer_id
    cross join lateral (
      select e.sequence from audit.entries e where e.writer_id = w.writer_id order by e.sequence desc limit 1
    ) newest
    where newest.sequence > coalesce(c.counted_to, 0)
  ), noted as (
    insert into work.active_tokens (tenant_id, month, token_id)
    select distinct e.tenant_id, date_trunc('month', e.occurred_at at time zone 'utc')::date, e.entity_id
    from fresh cross join lateral (
      select * from audit.entries e
      where e.writer_id = fresh.writer_id and e.sequence > fresh.counted_to and e.sequence <= fresh.sequence
      offset 0
    ) e
    where e.entity_type = 'token' and e.entity_id <> '' and e.outcome = 'succeeded' and e.tenant_id is not null
    on conflict do nothing
  )
  insert into work.counted_entries (writer_id, counted_to)
  select writer_id, sequence from fresh
  on conflict (writer_id) do update set counted_to = excluded.counted_to`;

/** Notes which tokens the newest entries of the audit log speak of. @param pool of the owner */
export function countActiveTokens(pool: pg.Pool): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query('lock table work.counted_entries in exclusive mode');
    await client.query(statement);
  });
}
