import { answerOf, checkConnection, contentOf, formulaOf } from '#commands/connection/content.ts';
import type { ConnectionInput } from '#commands/connection/content.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { createConnection as decide } from '#domain/connection/decide.ts';
import { connectionStream } from '#domain/connection/events.ts';
import { mergedFields } from '#domain/connection/input.ts';
import { connectionFold } from '#domain/connection/state.ts';
import type { LiveConnection } from '#domain/connection/state.ts';
import { derivedId, resourceId } from '#src/identifiers.ts';

/**
 * Creates a connection to a payment provider. It is pending until its credentials were checked. spec: Create Connection
 * @throws ValidationFailed, Conflicted, Unavailable
 */
export async function createConnection(
  dependencies: CommandDependencies,
  context: CommandContext,
  input: ConnectionInput,
): Promise<Outcome<LiveConnection>> {
  const formula = formulaOf(input);
  checkConnection(formula, input);
  const { vault } = dependencies;
  const { tenantId, commandId } = context;
  const id = resourceId(commandId, 'connection');
  const stream = connectionStream(tenantId, id);
  const payloadId = derivedId(commandId, stream, 'none', 'payload');
  const executed = await execute(dependencies, context, {
    stream,
    fold: connectionFold,
    expectNew: true,
    decide: async (state) => {
      await vault.store({ id: payloadId, tenantId, stream, data: mergedFields({}, input.fields) });
      return decide(state, {
        id,
        formulaId: formula.id,
        method: formula.method,
        threeDSecureEnabled: formula.supportedFeatures.three_d_secure_hosted,
        ...contentOf(input, true),
        payloadId,
      });
    },
  });
  return answerOf(dependencies, executed);
}
