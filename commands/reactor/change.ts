import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import type { Executed } from '#commands/execute.ts';
import type { ReactorContent } from '#commands/reactor/content.ts';
import { updateReactor as decide } from '#domain/reactor/decide.ts';
import { reactorStream } from '#domain/reactor/events.ts';
import { reactorFold } from '#domain/reactor/state.ts';
import type { LiveReactor, ReactorState } from '#domain/reactor/state.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';

/**
 * Changes a reactor, and stores its configuration as a new payload.
 * @param next what the reactor is to be, checked; undefined: as it is. Asked again after a conflict
 * @throws NotFound, Conflicted, Unavailable, and whatever `next` throws
 */
export async function changeReactor(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  next: (reactor: LiveReactor) => Promise<ReactorContent | undefined>,
): Promise<Executed<ReactorState>> {
  const { vault } = dependencies;
  const { tenantId, commandId } = context;
  const stream = reactorStream(tenantId, id);
  const payloadIdAt = (revision: bigint | 'none'): string =>
    derivedId(commandId, stream, revision, 'payload');
  return execute(dependencies, context, {
    stream,
    fold: reactorFold,
    decide: async (state, revision) => {
      if (state.status !== 'live') throw new NotFound();
      const content = await next(state);
      if (content === undefined) return [];
      const { configuration, ...attributes } = content;
      const payloadId = payloadIdAt(revision);
      await vault.store({ id: payloadId, tenantId, stream, data: configuration });
      return decide(state, { ...attributes, payloadId });
    },
    discard: (revision) => vault.remove(tenantId, [payloadIdAt(revision)]),
  });
}
