import type { Load, LoadOrder } from '#bench/processes/load.ts';
import { runProcess } from '#bench/support/process.ts';
import type { Duration, Measured, Round } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import type { Message } from '#test/webhooks/support/receiver.ts';

/** Tokens that are created meanwhile, a second. */
const rate = 500;
/** Milliseconds. */
const budget = 250;

/** From an event to its first attempt at a healthy endpoint, while tokens are created. */
export async function measureWebhooks({ rounds, seconds }: Duration): Promise<Measured> {
  const receiver = await startReceiver();
  const waits: number[] = [];
  receiver.answer = (response, received) => {
    response.writeHead(204).end();
    const { timestamp } = JSON.parse(received.body) as Message;
    waits.push(Date.now() - Date.parse(timestamp));
    receiver.received.length = 0;
  };
  const service = await startBenchService(3, { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' });
  const figures: Round[] = [];
  let created = 0;
  let heard = 0;
  try {
    await createWebhook(service.url, service.managementKey, receiver.url);
    for (let round = 0; round < rounds; round++) {
      waits.length = 0;
      const { acknowledged } = await runProcess<Load>('load', {
        url: service.url,
        key: service.privateKey,
        until: { seconds },
        connections: 16,
        rate,
        what: { create: { firstCard: (round + 1) * 1_000_000 } },
      } satisfies LoadOrder);
      created += acknowledged.length;
      heard += waits.length;
      const p95 = waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.95)] ?? Infinity;
      figures.push({ control: budget, ours: p95, ratio: p95 / budget });
    }
  } finally {
    await service.stop();
    await receiver.close();
  }
  return {
    name: 'webhooks, from an event to its first attempt, p95',
    unit: 'ms',
    target: 1,
    atMost: true,
    rounds: figures,
    notes: [
      `The control is the budget of ${budget} ms. ${created} tokens were acknowledged at ${rate}/s; ${heard} messages had arrived when the load ended.`,
      'The time is taken from the stamp of the event, which is older than its commit.',
    ],
  };
}

async function createWebhook(url: string, key: string, target: string): Promise<void> {
  const reply = await fetch(`${url}/webhooks`, {
    method: 'POST',
    headers: { 'BT-API-KEY': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'bench', url: target, events: ['token.created'] }),
  });
  if (reply.status !== 201) throw new Error(await reply.text());
}
