import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { answerOf } from '#commands/token/answer.ts';
import { tokenFold } from '#domain/token/state.ts';
import { prepareToken } from '#commands/token/prepare.ts';
import type { NewTokenInput } from '#commands/token/prepare.ts';
import type { ShownToken } from '#access/showToken.ts';
import { createToken as decide } from '#domain/token/decide.ts';
import { isRefusal } from '#domain/event.ts';
import { tokenStream } from '#domain/token/events.ts';
import { derivedId, resourceId } from '#src/identifiers.ts';

/**
 * Stores a new token; answers it with its data masked. spec: Create Token
 * @throws ValidationFailed, Forbidden, Conflicted (the id is or was in use), Unavailable
 */
export async function createToken(
  dependencies: CommandDependencies,
  context: CommandContext,
  input: NewTokenInput,
): Promise<Outcome<ShownToken>> {
  const { vault } = dependencies;
  const { tenantId, commandId } = context;
  const prepared = await prepareToken(dependencies, context, input);
  const id = prepared.id ?? resourceId(commandId, 'token');
  const stream = tokenStream(tenantId, id);
  const payloadId = (revision: bigint | 'none'): string => derivedId(commandId, stream, revision, 'payload');
  const executed = await execute(dependencies, context, {
    stream,
    fold: tokenFold,
    expectNew: true,
    decide: async (state, revision) => {
      const payload = payloadId(revision);
      const decision = decide(state, {
        id,
        type: prepared.type.name,
        ...prepared.attributes,
        payloadId: payload,
      });
      if (isRefusal(decision)) return decision;
      await vault.store({ id: payload, tenantId, stream, ...prepared.secret });
      return decision;
    },
    discard: (revision) => vault.remove(tenantId, [payloadId(revision)]),
  });
  return settle(dependencies, executed.position, await answerOf(dependencies, executed, prepared));
}
