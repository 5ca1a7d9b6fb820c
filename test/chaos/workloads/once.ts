import { randomUUID } from 'node:crypto';
import { describe, forEach, insist, insistOnce } from '#test/chaos/support/world.ts';
import type { Workload } from '#test/chaos/workloads/workload.ts';

type Listed = { data: unknown[] };

/** Tokens without ids of their own, asked for again and again under an idempotency key until there is an answer. */
export const onceWorkload = (): Workload => ({
  name: 'idempotency keys',
  weight: 4,
  act: async (world) => {
    const operation = randomUUID();
    const deed = { kind: 'once', operation } as const;
    await world.ledger.asked(deed);
    const body = { type: 'token', data: operation, metadata: { operation } };
    const answer = await insistOnce(world, '/tokens', body, operation);
    if (answer.status === 201) await world.ledger.acknowledge(deed);
    else world.verdict.wrong.push(describe(['POST', '/tokens'], answer));
  },
  verify: async (world, entries) => {
    const isAcknowledged = new Map<string, boolean>();
    for (const { at, deed } of entries) {
      if (deed.kind === 'once') isAcknowledged.set(deed.operation, at === 'acknowledged');
    }
    await forEach(isAcknowledged, async ([operation, acknowledged]) => {
      const { body } = await insist(world, 'GET', `/tokens?metadata.operation=${operation}`);
      const { length } = (body as Listed).data;
      if (length > 1) world.verdict.doubled.push(`${length} tokens of ${operation}`);
      if (length < 1 && acknowledged) world.verdict.lost.push(`the token of ${operation}`);
    });
  },
});
