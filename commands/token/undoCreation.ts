import type { CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { systemContext } from '#commands/systemContext.ts';
import { deleteToken as decide } from '#domain/token/decide.ts';
import { tokenFold } from '#domain/token/state.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';

const actor = { type: 'system', id: 'unfinished batch' } as const;

/** Whether a stream with this last event is one that was undone. */
export const isUndone = (last: RecordedEvent | undefined): boolean =>
  last?.metadata.actor.type === actor.type && last.metadata.actor.id === actor.id;

/** Deletes a token that a command made, and that was not to be without the others. Again is harmless. */
export async function undoCreation(
  dependencies: CommandDependencies,
  tenantId: string,
  commandId: string,
  stream: string,
): Promise<void> {
  const executed = await execute(dependencies, systemContext(tenantId, actor), {
    stream,
    fold: tokenFold,
    decide: async (state) => {
      const [first] = await dependencies.log.readStream(stream);
      return state.status === 'live' && first?.metadata.command_id === commandId ? decide(state) : [];
    },
  });
  // Whoever is told that there are none must not find one.
  await settle(dependencies, executed.position, undefined);
}
