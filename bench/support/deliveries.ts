import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { BenchService } from '#bench/support/service.ts';

/** How many deliveries of an endpoint there are of each status. */
export type Fates = Record<string, number>;

/** Longer than a message is tried. */
const later = '3 hours';

/** Puts the clock of the queue on until nothing is left to be tried. */
export async function endDeliveries(database: pg.Client): Promise<void> {
  for (;;) {
    await database.query(
      `update work.webhook_endpoints e set failing_since = failing_since - interval '${later}',
         failing_for = extract(epoch from interval '${later}') * 1000
       where not exists (select from work.webhook_deliveries d
         where d.webhook_id = e.webhook_id and d.status = 'delivered')`,
    );
    await database.query(
      `update work.webhook_deliveries set due_at = now() where status = 'pending' and due_at > now()`,
    );
    const { rowCount } = await database.query(
      `select from work.webhook_deliveries where status = 'pending' limit 1`,
    );
    if (rowCount === 0) return;
    await sleep(1_000);
  }
}

type Page = { pagination: { next?: string }; data: readonly { id: string; status: string }[] };

/** What the lists of deliveries hold, for each webhook of the tenant, oldest first. */
export async function listedDeliveries(service: BenchService): Promise<Fates[]> {
  const { data: webhooks } = await get<{ data: readonly { id: string }[] }>(service, '/webhooks');
  return Promise.all(webhooks.map(({ id }) => fatesOf(service, id)));
}

async function fatesOf(service: BenchService, id: string): Promise<Fates> {
  const fates: Fates = {};
  const seen = new Set<string>();
  let start: string | undefined;
  do {
    const query = `size=100${start === undefined ? '' : `&start=${start}`}`;
    const page = await get<Page>(service, `/webhooks/${id}/deliveries?${query}`);
    for (const delivery of page.data) {
      if (seen.has(delivery.id)) throw new Error(`the delivery ${delivery.id} is listed twice`);
      seen.add(delivery.id);
      fates[delivery.status] = (fates[delivery.status] ?? 0) + 1;
    }
    start = page.pagination.next;
  } while (start !== undefined);
  return fates;
}

async function get<Body>({ url, managementKey }: BenchService, path: string): Promise<Body> {
  const response = await fetch(`${url}${path}`, { headers: { 'BT-API-KEY': managementKey } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Body;
}
