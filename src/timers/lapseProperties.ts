import type { CommandDependencies } from '#commands/context.ts';
import { systemContext } from '#commands/systemContext.ts';
import { lapseProperty } from '#commands/token/lapse.ts';
import type { LapsedPart, ShortLivedParts } from '#ports/shortLivedParts.ts';
import type { Timer } from '#ports/timer.ts';

const everyMinute = '* * * * *';
const atATime = 500;
const sideBySide = 16;
const actor = { type: 'system', id: 'retention' } as const;

/** Records that short-lived properties are gone, and takes away what is left of them. spec: CVC retention */
export const lapseProperties = (dependencies: CommandDependencies, parts: ShortLivedParts): Timer => ({
  name: 'lapse_properties',
  schedule: everyMinute,
  run: async () => {
    for (;;) {
      const lapsed = await parts.lapsed(dependencies.clock.now(), atATime);
      if (lapsed.length === 0) return;
      for (let start = 0; start < lapsed.length; start += sideBySide) {
        await lapseSome(dependencies, parts, lapsed.slice(start, start + sideBySide));
      }
    }
  },
});

/** One that fails keeps no other from being taken away; the timer is told, and comes again. */
async function lapseSome(
  dependencies: CommandDependencies,
  parts: ShortLivedParts,
  some: readonly LapsedPart[],
): Promise<void> {
  const outcomes = await Promise.allSettled(
    some.map((part) => lapseProperty(dependencies, systemContext(part.tenantId, actor), part)),
  );
  await parts.forget(some.filter((_, index) => outcomes[index]?.status === 'fulfilled'));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
