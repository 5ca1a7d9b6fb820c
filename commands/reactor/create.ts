import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { answerOf, checkContent, contentOf } from '#commands/reactor/content.ts';
import type { ReactorInput } from '#commands/reactor/content.ts';
import { createReactor as decide } from '#domain/reactor/decide.ts';
import { reactorStream } from '#domain/reactor/events.ts';
import { reactorFold } from '#domain/reactor/state.ts';
import type { LiveReactor } from '#domain/reactor/state.ts';
import type { WithConfiguration } from '#src/configurations.ts';
import { derivedId, resourceId } from '#src/identifiers.ts';

/**
 * Creates a reactor. Its code is kept as it is, and not run. spec: Create Reactor
 * @throws ValidationFailed, Conflicted, Unavailable
 */
export async function createReactor(
  dependencies: CommandDependencies,
  context: CommandContext,
  input: ReactorInput,
): Promise<Outcome<WithConfiguration<LiveReactor>>> {
  const { vault } = dependencies;
  const { tenantId, commandId } = context;
  const id = resourceId(commandId, 'reactor');
  const stream = reactorStream(tenantId, id);
  const payloadId = derivedId(commandId, stream, 'none', 'payload');
  const { configuration, ...attributes } = contentOf(input);
  const executed = await execute(dependencies, context, {
    stream,
    fold: reactorFold,
    expectNew: true,
    decide: async (state) => {
      await checkContent(dependencies, tenantId, { ...attributes, configuration }, attributes);
      await vault.store({ id: payloadId, tenantId, stream, data: configuration });
      return decide(state, { id, ...attributes, payloadId });
    },
  });
  return answerOf(dependencies, executed, configuration);
}
