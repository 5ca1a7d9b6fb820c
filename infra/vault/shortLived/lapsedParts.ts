import type pg from 'pg';
import { shortLivedLifetime } from '#infra/vault/shortLived/epochs.ts';
import type { ShortLivedParts } from '#ports/shortLivedParts.ts';

type Row = { tenant_id: string; payload_id: string; stream: string };

/** @param pool of the owner, whom row-level security does not bind */
export function createShortLivedParts(pool: pg.Pool): ShortLivedParts {
  return {
    lapsed: async (now, limit) => {
      const { rows } = await pool.query<Row>(
        `select part.tenant_id, part.payload_id, payload.stream
         from vault.short_lived_parts part
         join vault.payloads payload on payload.tenant_id = part.tenant_id and payload.id = part.payload_id
         where part.stored_at <= $1 order by part.stored_at limit $2`,
        [new Date(now.getTime() - shortLivedLifetime), limit],
      );
      return rows.map((row) => ({
        tenantId: row.tenant_id,
        payloadId: row.payload_id,
        tokenId: row.stream.slice(row.stream.indexOf('.') + 1),
      }));
    },
    forget: async (parts) => {
      await pool.query(
        `delete from vault.short_lived_parts part using unnest($1::uuid[], $2::uuid[]) as gone (tenant_id, payload_id)
         where part.tenant_id = gone.tenant_id and part.payload_id = gone.payload_id`,
        [parts.map(({ tenantId }) => tenantId), parts.map(({ payloadId }) => payloadId)],
      );
    },
  };
}
