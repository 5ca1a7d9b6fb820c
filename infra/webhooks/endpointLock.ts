import type pg from 'pg';

/**
 * Locks the rows of endpoints until the transaction ends. Whoever changes deliveries that are there has the row of their
 * endpoint first: so nobody who has one waits for another who waits for it.
 */
export async function lockEndpoints(client: pg.ClientBase, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return;
  await client.query(
    `select from work.webhook_endpoints where webhook_id = any ($1::uuid[]) order by webhook_id for update`,
    [webhookIds],
  );
}
