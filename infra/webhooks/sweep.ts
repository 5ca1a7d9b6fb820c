import type pg from 'pg';

/** Days. */
export const deliveriesKeptFor = 30;
const portion = 10_000;

/** Forgets deliveries that ended long ago; what they told can be replayed. @param pool as the owner */
export async function sweepDeliveries(pool: pg.Pool): Promise<void> {
  let swept: number;
  do {
    // What somebody is about to send again is not waited for.
    const { rowCount } = await pool.query(
      `with ended as materialized (
         select tenant_id, id from work.webhook_deliveries
         where status <> 'pending' and due_at < now() - $1 * interval '1 day'
         order by due_at limit $2 for update skip locked
       )
       delete from work.webhook_deliveries where (tenant_id, id) in (select tenant_id, id from ended)`,
      [deliveriesKeptFor, portion],
    );
    swept = rowCount ?? 0;
  } while (swept === portion);
}
