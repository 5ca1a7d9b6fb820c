import type { Composition } from '#src/main/compose.ts';
import type { Timer } from '#ports/timer.ts';

/** Looks by itself, and has an alarm of its own. */
const looksItself = 'sweep_orphans';

/** Timers that do nothing while the log is not the installation's own: what they end or remove cannot be brought back. */
export const inOwnLog = ({ logGuard }: Pick<Composition, 'logGuard'>, timers: readonly Timer[]): Timer[] =>
  timers.map((timer) =>
    timer.name === looksItself
      ? timer
      : {
          ...timer,
          run: async () => {
            await logGuard.check();
            await timer.run();
          },
        },
  );
