import type pg from 'pg';
import type { WebhookBacklog } from '#ports/webhookSending.ts';

/** What is waiting to be sent, of all tenants. @param pool as the owner */
export async function backlogOf(pool: pg.Pool): Promise<WebhookBacklog> {
  const { rows } = await pool.query<{ due: number; waiting: number; oldest: number | null }>({
    name: 'webhook backlog',
    text: `select count(*) filter (where due_at <= now())::float8 as due,
        count(*) filter (where due_at > now())::float8 as waiting,
        extract(epoch from now() - min(due_at) filter (where due_at <= now()))::float8 as oldest
      from work.webhook_deliveries where status = 'pending'`,
  });
  const [row] = rows;
  return { due: row?.due ?? 0, waiting: row?.waiting ?? 0, oldestDue: row?.oldest ?? 0 };
}
