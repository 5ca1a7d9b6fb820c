import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { lapseProperty as decide } from '#domain/token/decide.ts';
import { tokenStream } from '#domain/token/events.ts';
import { tokenFold } from '#domain/token/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';

/** Records that the short-lived property of a token is gone; again is harmless. spec: CVC retention */
export async function lapseProperty(
  dependencies: CommandDependencies,
  context: CommandContext,
  { tokenId, payloadId }: { tokenId: string; payloadId: string },
): Promise<void> {
  await execute(dependencies, context, {
    stream: tokenStream(context.tenantId, tokenId),
    fold: tokenFold,
    decide: (state) => {
      const property = state.status === 'live' ? tokenTypeOf(state).shortLivedProperty : undefined;
      return decide(state, payloadId, property);
    },
  });
}
