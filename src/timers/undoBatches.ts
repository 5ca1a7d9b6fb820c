import type { CommandDependencies } from '#commands/context.ts';
import { undoCreation } from '#commands/token/undoCreation.ts';
import type { Timer } from '#ports/timer.ts';
import type { UnfinishedBatches } from '#ports/unfinishedBatches.ts';

const everyMinute = '* * * * *';

/**
 * Takes back the tokens of requests that ended in the middle of making several, on a log that cannot write them
 * together. A batch is claimed before any of its streams is touched, so that its writer, should it still be there, cannot
 * acknowledge it any more.
 * @param batches as the owner sees them
 */
export const undoBatches = (dependencies: CommandDependencies, batches: UnfinishedBatches): Timer => ({
  name: 'undo_batches',
  schedule: everyMinute,
  run: async () => {
    for (;;) {
      const claimed = await batches.claimAbandoned();
      if (claimed.length === 0) return;
      for (const { tenantId, commandId, streams } of claimed) {
        for (const stream of streams) await undoCreation(dependencies, tenantId, commandId, stream);
        await batches.forget(tenantId, commandId);
      }
    }
  },
});
