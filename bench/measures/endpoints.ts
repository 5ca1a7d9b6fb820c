import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Manner } from '#bench/processes/endpoints.ts';
import { startEndpoints } from '#bench/support/endpoints.ts';
import type { BenchEndpoints } from '#bench/support/endpoints.ts';
import { post } from '#bench/support/reactors.ts';
import type { Duration, Measured, Round } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';
import type { BenchService } from '#bench/support/service.ts';
import { writeTokenEvents } from '#bench/support/tokenEvents.ts';
import { endDeliveries, listedDeliveries } from '#bench/support/deliveries.ts';
import type { Fates } from '#bench/support/deliveries.ts';

const count = 100_000;
const kinds = ['token.created', 'token.updated', 'token.deleted'];
/** Those that are watched. */
const watched: readonly Manner[] = ['healthy', 'healthy'];
const allHealthy: readonly Manner[] = [...watched, 'healthy', 'healthy', 'healthy'];
const someSick: readonly Manner[] = [...watched, 'slow', 'failing', 'dead'];

/** What healthy endpoints lose when others are slow, fail or are dead, and what becomes of every message. */
export async function measureEndpoints({ rounds }: Duration): Promise<Measured[]> {
  const fates: Fates[] = [];
  const among: Round[] = [];
  const alone: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await withEndpoints(someSick, async (service, database) => {
      // It takes longer than the rest, and comes to the same each time.
      if (round > 0) return;
      await endDeliveries(database);
      fates.push(...(await listedDeliveries(service)));
    });
    among.push(against(await withEndpoints(allHealthy), ours));
    alone.push(against(await withEndpoints(watched), ours));
  }
  const name = `webhooks, ${count.toLocaleString('en')} events to five endpoints, one slow, one failing, one dead: rate of the healthy`;
  const unit = 'messages/s at each of the two';
  return [
    {
      name,
      unit,
      target: 0.95,
      rounds: among,
      notes: ['control: the same two among five healthy endpoints; they answer after 20 ms', noteOn(fates)],
    },
    {
      name: `${name}, against two alone`,
      unit,
      target: 0,
      rounds: alone,
      notes: [
        'control: the same two without any others, whose messages need not be made either; no target is set for it',
      ],
    },
  ];
}

const against = (control: number, ours: number): Round => ({ control, ours, ratio: ours / control });

function noteOn(fates: readonly Fates[]): string {
  const shares = fates.map((fate, index) => {
    const counts = Object.entries(fate).map(([status, many]) => `${many.toLocaleString('en')} ${status}`);
    return `${someSick[index]}: ${counts.join(', ')}`;
  });
  return `what became of them, as listed over HTTP, when the 2.6 hours of retries were over (the clock of the queue was put on): ${shares.join('; ')}`;
}

/** The messages a second that each watched endpoint got, from its first to its last. */
async function withEndpoints(
  manners: readonly Manner[],
  then: (service: BenchService, database: pg.Client) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const endpoints = await startEndpoints(manners);
  const service = await startBenchService(1, { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' });
  const pool = new pg.Pool({ ...service.connection, max: 4 });
  const database = new pg.Client(service.connection);
  await database.connect();
  try {
    for (const url of endpoints.urls) {
      await post(service.url, service.managementKey, '/webhooks', { name: 'bench', url, events: kinds });
    }
    await writeTokenEvents(pool, service.connection, service.tenantId, count);
    const rate = await rateOf(endpoints);
    await then(service, database);
    return rate;
  } finally {
    await pool.end();
    await database.end();
    await service.stop();
    endpoints.stop();
  }
}

async function rateOf(endpoints: BenchEndpoints): Promise<number> {
  for (;;) {
    const seen = (await endpoints.seen()).slice(0, watched.length);
    if (seen.every(({ distinct }) => distinct === count)) {
      const rates = seen.map(({ firstAt, lastAt }) => count / ((lastAt - firstAt) / 1_000));
      return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    }
    await sleep(100);
  }
}
