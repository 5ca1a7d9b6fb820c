import type pg from 'pg';

/** What a process knows of the streams that wait behind an event that some view could not take. */
export type ParkedStreams = {
  /** @param id absent: of anything of the tenant */
  has(tenantId: string, id?: string): boolean;
  /** Looks anew; whoever waits for it knows what was parked before it was called. */
  refresh(): Promise<void>;
};

/** `<category>-<tenant>` or `<category>-<tenant>.<id>` */
const named = /-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.(.*))?$/s;

/** @param pool the role `holdfast_api` is enough */
export function createParkedStreams(pool: pg.Pool): ParkedStreams {
  let byTenant = new Map<string, Set<string>>();
  return {
    has: (tenantId, id) => {
      const ids = byTenant.get(tenantId);
      return ids !== undefined && (id === undefined || ids.has(id));
    },
    refresh: async () => {
      const { rows } = await pool.query<{ stream: string }>(
        `select distinct stream from work.projection_failures where status = 'parked'`,
      );
      const found = new Map<string, Set<string>>();
      for (const { stream } of rows) {
        const [, tenantId = '', id = ''] = named.exec(stream) ?? [];
        const ids = found.get(tenantId) ?? new Set();
        found.set(tenantId, ids.add(id));
      }
      byTenant = found;
    },
  };
}
