import type { CommandDependencies } from '#commands/context.ts';
import { systemContext } from '#commands/systemContext.ts';
import { lapseProperty } from '#commands/token/lapse.ts';
import type { ShortLivedParts } from '#ports/shortLivedParts.ts';
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
        const some = lapsed.slice(start, start + sideBySide);
        await Promise.all(
          some.map((part) => lapseProperty(dependencies, systemContext(part.tenantId, actor), part)),
        );
      }
      await parts.forget(lapsed);
    }
  },
});
