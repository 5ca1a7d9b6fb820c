import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { end as decide } from '#domain/invocation/decide.ts';
import type { Ending } from '#domain/invocation/decide.ts';
import { invocationStream } from '#domain/invocation/events.ts';
import { invocationFold } from '#domain/invocation/state.ts';
import type { Json } from '#ports/json.ts';
import { derivedId } from '#src/identifiers.ts';
import type { ReactorAnswer } from '#src/reactors/invocation.ts';
import { toKeep } from '#src/reactors/kept.ts';

/** So long an answer is kept, in milliseconds. */
const retention = 24 * 60 * 60_000;

export type HowItEnded = Pick<Ending, 'elapsedMilliseconds' | 'failure'> & {
  answer: ReactorAnswer;
  /** See the prepared invocation's. */
  shortLivedSince?: string | undefined;
};

/**
 * Keeps the answer of an invocation, and says that it has ended; nothing when it has ended before.
 * @throws Conflicted, Unavailable, TenantKeysMissing
 */
export async function endInvocation(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  { answer, elapsedMilliseconds, failure, shortLivedSince }: HowItEnded,
): Promise<void> {
  const { vault, clock } = dependencies;
  const { tenantId, commandId } = context;
  const stream = invocationStream(tenantId, id);
  const resultPayloadId = derivedId(commandId, stream, 'result');
  await execute(dependencies, context, {
    stream,
    fold: invocationFold,
    decide: async (state) => {
      const { status } = answer;
      const decision = decide(state, { status, elapsedMilliseconds, resultPayloadId, failure });
      if ('refused' in decision || decision.length === 0) return decision;
      const expiresAt = new Date(clock.now().getTime() + retention);
      const result = { id: resultPayloadId, tenantId, stream, expiresAt };
      await vault.store(toKeep(result, plain(answer), shortLivedSince));
      return decision;
    },
    // The same answer lies under the same id when it is decided again, so nothing is discarded between.
  });
}

/** As JSON has it: a body that is undefined is none. */
const plain = (answer: ReactorAnswer): Json => JSON.parse(JSON.stringify(answer)) as Json;
