import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { inTenant } from '#infra/vault/tenantStatement.ts';

/** Deletes the payloads that a query names by `tenant_id` and `id`, with all that belongs to them. */
export const deletionOf = (query: string): string => `
  with doomed as materialized (${query}),
  indexes as (
    delete from vault.blind_indexes i using doomed d where i.tenant_id = d.tenant_id and i.payload_id = d.id
  ),
  parts as (
    delete from vault.short_lived_parts s using doomed d where s.tenant_id = d.tenant_id and s.payload_id = d.id
  )
  delete from vault.payloads p using doomed d where p.tenant_id = d.tenant_id and p.id = d.id`;

/** Takes the tenant of each payload, and its id. */
const deleteStatement = deletionOf('select * from unnest($1::uuid[], $2::uuid[]) d (tenant_id, id)');

/** Deletes payloads of one tenant with all that belongs to them. @throws StoreUnavailable */
export function deleteRows(pool: pg.Pool, tenantId: string, ids: readonly string[]): Promise<void> {
  return reachable(() =>
    inTenant(pool, tenantId, async (client) => {
      await client.query({
        name: 'vault remove',
        text: deleteStatement,
        values: [Array.from(ids, () => tenantId), ids],
      });
    }),
  );
}
