import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { asTenant } from '#infra/vault/tenantStatement.ts';

/** More are not looked at: most that are not the newest payload of their token are removed within seconds. */
const most = 100;

/** Payloads of a tenant with a fingerprint, oldest first. @throws StoreUnavailable */
export async function findPayloads(
  pool: pg.Pool,
  tenantId: string,
  fingerprint: string,
): Promise<{ id: string; stream: string }[]> {
  const { rows } = await reachable(() =>
    pool.query<{ id: string; stream: string }>({
      name: 'vault fingerprint',
      text: `${asTenant}
        select p.* from tenant cross join lateral (
          select id, stream from vault.payloads
          where tenant_id = tenant.id and fingerprint = $2 and expires_at is null
          order by created_at, id limit ${most} offset 0
        ) p`,
      values: [tenantId, fingerprint],
    }),
  );
  return rows;
}
