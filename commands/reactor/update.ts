import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { changeReactor } from '#commands/reactor/change.ts';
import { answerOf, checkContent, contentOf } from '#commands/reactor/content.ts';
import type { ReactorInput } from '#commands/reactor/content.ts';
import type { LiveReactor } from '#domain/reactor/state.ts';
import type { WithConfiguration } from '#src/configurations.ts';

/**
 * Replaces a reactor whole: without an application it has none. spec: Update Reactor
 * @throws ValidationFailed, NotFound, Conflicted, Unavailable
 */
export async function updateReactor(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  input: ReactorInput,
): Promise<Outcome<WithConfiguration<LiveReactor>>> {
  const content = contentOf(input);
  const executed = await changeReactor(dependencies, context, id, async () => {
    await checkContent(dependencies, context.tenantId, content, content);
    return content;
  });
  return answerOf(dependencies, executed, content.configuration);
}
