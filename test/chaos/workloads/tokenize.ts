import { randomUUID } from 'node:crypto';
import { findTokens } from '#test/chaos/support/findTokens.ts';
import { attempt } from '#test/chaos/support/world.ts';
import { secretOf } from '#test/chaos/workloads/tokens.ts';
import type { Workload } from '#test/chaos/workloads/workload.ts';

/** Several tokens of one request: all of them, or none. */
export const tokenizeWorkload = (): Workload => ({
  name: 'tokenize',
  weight: 4,
  act: async (world) => {
    const ids = Array.from({ length: 2 + world.random(4) }, () => randomUUID());
    const deed = { kind: 'tokenize', ids } as const;
    await world.ledger.asked(deed);
    const body = ids.map((id) => ({ id, type: 'token', data: { secret: secretOf(id) } }));
    if (await attempt(world, 'POST', '/tokenize', body)) await world.ledger.acknowledge(deed);
  },
  verify: async (world, entries) => {
    const groups = new Map<string, { ids: readonly string[]; isAcknowledged: boolean }>();
    for (const { at, deed } of entries) {
      if (deed.kind !== 'tokenize') continue;
      groups.set(deed.ids.join(), { ids: deed.ids, isAcknowledged: at === 'acknowledged' });
    }
    const found = await findTokens(
      world,
      [...groups.values()].flatMap(({ ids }) => ids),
    );
    for (const { ids, isAcknowledged } of groups.values()) {
      const there = ids.filter((id) => found.get(id) !== undefined);
      if (isAcknowledged && there.length < ids.length) world.verdict.lost.push(`tokens of ${ids.join()}`);
      if (there.length > 0 && there.length < ids.length)
        world.verdict.half.push(`only ${there.join()} of ${ids.join()}`);
    }
  },
});
