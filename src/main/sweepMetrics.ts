import { Gauge, Registry } from 'prom-client';
import type pg from 'pg';

/** What a worker tells of payloads without an event, of the whole service. @param pool of the owner */
export function createSweepMetrics(pool: pg.Pool): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, query: string): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const found = await pool.query<{ value: number }>(query).catch(() => undefined);
        if (found === undefined) this.reset();
        else this.set(found.rows[0]?.value ?? 0);
      },
    });
  };
  gauge(
    'holdfast_orphan_sweep_stopped',
    'Whether the sweep of orphaned payloads deletes nothing because the event log does not look sound (1), or goes on (0).',
    "select (stopped is not null)::int4 as value from vault.sweeps where name = 'orphans'",
  );
  gauge(
    'holdfast_quarantined_payloads',
    'Payloads that no event refers to, and that wait to be deleted.',
    'select count(*)::int4 as value from vault.quarantined_payloads',
  );
  return registry;
}
