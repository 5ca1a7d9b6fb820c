import type { CommandDependencies } from '#commands/context.ts';
import { undoCreation } from '#commands/token/undoCreation.ts';
import type { Timer } from '#ports/timer.ts';
import type { UnfinishedBatches } from '#ports/unfinishedBatches.ts';

const everyMinute = '* * * * *';
/** A request that has not ended after this long is not going to, in milliseconds. */
const abandonedAfter = 2 * 60_000;

/**
 * Takes back the tokens of requests that ended in the middle of making several, on a log that cannot write them
 * together.
 * @param batches as the owner sees them
 */
export const undoBatches = (dependencies: CommandDependencies, batches: UnfinishedBatches): Timer => ({
  name: 'undo_batches',
  schedule: everyMinute,
  run: async () => {
    const since = new Date(dependencies.clock.now().getTime() - abandonedAfter);
    for (const { tenantId, commandId, streams } of await batches.abandoned(since)) {
      for (const stream of streams) await undoCreation(dependencies, tenantId, commandId, stream);
      await batches.end(tenantId, commandId);
    }
  },
});
