import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { transactionStream } from '#domain/transaction/events.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';
import { expireApproval as decide } from '#domain/transaction/record.ts';

/** Gives up on a buyer who did not approve in time; again is harmless. @throws Conflicted, Unavailable */
export async function expireApproval(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<void> {
  const now = dependencies.clock.now().getTime();
  await execute(dependencies, context, {
    stream: transactionStream(context.tenantId, id),
    fold: transactionFold,
    decide: (state) => decide(state, (time) => Date.parse(time) <= now),
  });
}
