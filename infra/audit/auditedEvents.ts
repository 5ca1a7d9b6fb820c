import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import type { AuditedEvents } from '#ports/audit.ts';

/** @param pool of the owner, who sees the entries of all tenants */
export const createAuditedEvents = (pool: pg.Pool): AuditedEvents => ({
  among: async (eventIds) => {
    const { rows } = await reachable(() =>
      pool.query<{ event_id: string }>({
        name: 'audited events',
        text: 'select event_id from audit.entries where event_id = any($1::uuid[])',
        values: [eventIds],
      }),
    );
    return new Set(rows.map((row) => row.event_id));
  },
});
