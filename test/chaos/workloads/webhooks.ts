import { until } from '#test/support/until.ts';
import type { Outside } from '#test/chaos/support/outside.ts';
import type { Workload } from '#test/chaos/workloads/workload.ts';

/** Deliveries of a worker that died are made again within this, in milliseconds. */
const delivered = 150_000;

/** Asks for nothing itself: a webhook hears of every token that others make, under one event id each. */
export const webhooksWorkload = ({ creations }: Pick<Outside, 'creations'>): Workload => ({
  name: 'webhooks',
  weight: 0,
  act: () => Promise.resolve(),
  verify: async ({ verdict }, entries) => {
    const acknowledged = entries.flatMap(({ at, deed }) =>
      at === 'acknowledged' && deed.kind === 'create' ? [deed.id] : [],
    );
    const untold = (): string[] => acknowledged.filter((id) => !creations.has(id));
    await until(() => untold().length === 0, delivered).catch(() => undefined);
    for (const id of untold()) verdict.lost.push(`the webhook's message on ${id}`);
    for (const [id, events] of creations) {
      if (events.size > 1) verdict.doubled.push(`the creation of ${id}: ${events.size} events`);
    }
  },
});
