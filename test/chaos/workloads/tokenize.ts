import { randomUUID } from 'node:crypto';
import { findTokens } from '#test/chaos/support/findTokens.ts';
import { attempt } from '#test/chaos/support/world.ts';
import { secretOf } from '#test/chaos/workloads/tokens.ts';
import { until } from '#test/support/until.ts';
import type { Workload } from '#test/chaos/workloads/workload.ts';

/** In milliseconds. */
const undone = 180_000;

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
    const thereOf = async (): Promise<string[][]> => {
      const found = await findTokens(
        world,
        [...groups.values()].flatMap(({ ids }) => ids),
      );
      return [...groups.values()].map(({ ids }) => ids.filter((id) => found.get(id) !== undefined));
    };
    const all = [...groups.values()];
    const isHalf = (ids: readonly string[], index: number): boolean =>
      ids.length > 0 && ids.length < (all[index]?.ids.length ?? 0);
    // A log that cannot append all at once leaves parts behind, which a timer takes away.
    await until(async () => !(await thereOf()).some(isHalf), undone).catch(() => undefined);
    const there = await thereOf();
    for (const [index, { ids, isAcknowledged }] of all.entries()) {
      const found = there[index] ?? [];
      if (isAcknowledged && found.length < ids.length) world.verdict.lost.push(`tokens of ${ids.join()}`);
      if (isHalf(found, index)) world.verdict.half.push(`only ${found.join()} of ${ids.join()}`);
    }
  },
});
