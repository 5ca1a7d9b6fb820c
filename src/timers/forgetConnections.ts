import type { CommandDependencies } from '#commands/context.ts';
import { forgetConnection } from '#commands/connection/forget.ts';
import { systemContext } from '#commands/systemContext.ts';
import type { DeletedConnections } from '#ports/deletedConnections.ts';
import type { Timer } from '#ports/timer.ts';

const actor = { type: 'system', id: 'connections' } as const;
const atATime = 500;
/** A request that began before the deletion has ended after this long, in milliseconds. */
const grace = 10 * 60_000;
/** What has been open for longer than this does not end any more, in milliseconds. */
const patience = 30 * 24 * 60 * 60_000;

/** Lets the fields of deleted connections go once nothing is under way through them. */
export const forgetConnections = (dependencies: CommandDependencies, deleted: DeletedConnections): Timer => ({
  name: 'forget_connections',
  schedule: '* * * * *',
  run: async () => {
    const { log, views, clock } = dependencies;
    const head = await log.head();
    // A view that is behind does not know what is under way.
    if (head !== null && (await views.waitFor(head)) === 'late') return;
    const now = clock.now().getTime();
    const idle = await deleted.idle(new Date(now - grace), new Date(now - patience), atATime);
    for (const { tenantId, id } of idle) {
      await forgetConnection(dependencies, systemContext(tenantId, actor), id);
    }
  },
});
