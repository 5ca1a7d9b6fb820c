import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { asTenant, inTenant } from '#infra/vault/tenantStatement.ts';

/** Days. */
export const keptFor = 7;

export type LogRow = { invocationId: string; startedAt: Date };

export async function insertLogRows(
  pool: pg.Pool,
  tenantId: string,
  reactorId: string,
  rows: readonly LogRow[],
): Promise<void> {
  await reachable(() =>
    pool.query({
      name: 'reactor logs insert',
      text: `${asTenant}
        insert into work.reactor_logs (tenant_id, reactor_id, invocation_id, started_at)
        select tenant.id, $2, made.id, made.started_at
        from tenant cross join unnest($3::uuid[], $4::timestamptz[]) made (id, started_at)
        on conflict do nothing`,
      values: [
        tenantId,
        reactorId,
        rows.map(({ invocationId }) => invocationId),
        rows.map(({ startedAt }) => startedAt),
      ],
    }),
  );
}

/** The invocations of a reactor that left logs, newest first. */
export async function selectLogRows(pool: pg.Pool, tenantId: string, reactorId: string): Promise<string[]> {
  const { rows } = await reachable(() =>
    pool.query<{ invocation_id: string }>({
      name: 'reactor logs of one',
      text: `${asTenant}
        select found.* from tenant cross join lateral (
          select invocation_id from work.reactor_logs
          where tenant_id = tenant.id and reactor_id = $2
          order by started_at desc, invocation_id offset 0
        ) found`,
      values: [tenantId, reactorId],
    }),
  );
  return rows.map((row) => row.invocation_id);
}

/**
 * Leaves the newest of a reactor. Answers which are gone: those that were too many, and, of those given, those
 * that somebody else had taken away.
 */
export function trimLogRows(
  pool: pg.Pool,
  tenantId: string,
  reactorId: string,
  kept: number,
  given: readonly string[],
): Promise<string[]> {
  return reachable(() =>
    inTenant(pool, tenantId, async (client) => {
      const trimmed = await client.query<{ invocation_id: string }>(
        `delete from work.reactor_logs where tenant_id = $1 and reactor_id = $2 and invocation_id in (
           select invocation_id from work.reactor_logs where tenant_id = $1 and reactor_id = $2
           order by started_at desc, invocation_id offset $3
         ) returning invocation_id`,
        [tenantId, reactorId, kept],
      );
      const missing = await client.query<{ invocation_id: string }>(
        `select given.id as invocation_id from unnest($3::uuid[]) given (id) where not exists (
           select from work.reactor_logs
           where tenant_id = $1 and reactor_id = $2 and invocation_id = given.id)`,
        [tenantId, reactorId, given],
      );
      return [...new Set([...trimmed.rows, ...missing.rows].map((row) => row.invocation_id))];
    }),
  );
}

/** Answers which are gone. @param reactorIds of these alone */
export function deleteLogRows(
  pool: pg.Pool,
  tenantId: string,
  reactorIds?: readonly string[],
): Promise<string[]> {
  return reachable(() =>
    inTenant(pool, tenantId, async (client) => {
      const { rows } = await client.query<{ invocation_id: string }>(
        `delete from work.reactor_logs where tenant_id = $1 and ($2::uuid[] is null or reactor_id = any($2))
         returning invocation_id`,
        [tenantId, reactorIds ?? null],
      );
      return rows.map((row) => row.invocation_id);
    }),
  );
}
