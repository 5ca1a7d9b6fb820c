import { answerOf, checkConnection, contentOf, formulaOf } from '#commands/connection/content.ts';
import type { ConnectionInput } from '#commands/connection/content.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { DecideAgain, execute } from '#commands/execute.ts';
import { updateConnection as decide } from '#domain/connection/decide.ts';
import { connectionStream } from '#domain/connection/events.ts';
import { mergedFields } from '#domain/connection/input.ts';
import type { FieldValues } from '#domain/connection/input.ts';
import { connectionFold } from '#domain/connection/state.ts';
import type { LiveConnection } from '#domain/connection/state.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';
import { fieldsIn } from '#src/orchestration/connectionFields.ts';

/**
 * Replaces a connection but for its formula. Fields that are left out keep their values, because clients cannot
 * read secret ones back. Other values, or any when the last ones were refused, are checked anew.
 * spec: Update Connection
 * @throws ValidationFailed, NotFound, Conflicted, Unavailable
 */
export async function updateConnection(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  input: ConnectionInput,
): Promise<Outcome<LiveConnection>> {
  const { vault } = dependencies;
  const { tenantId, commandId } = context;
  const stream = connectionStream(tenantId, id);
  const payloadIdAt = (revision: bigint | 'none'): string =>
    derivedId(commandId, stream, revision, 'payload');
  const executed = await execute(dependencies, context, {
    stream,
    fold: connectionFold,
    decide: async (state, revision) => {
      if (state.status !== 'live') throw new NotFound();
      const formula = formulaOf(input);
      const kind = { formulaId: formula.id, method: input.method };
      const attributes = contentOf(input, state.active);
      // Of another formula its fields would be wrong, too.
      const unchanged = { ...kind, ...attributes, payloadId: state.payloadId };
      if (formula.id !== state.formulaId) return decide(state, unchanged);
      const current = await fieldsIn(vault, state);
      if (current === undefined) throw new DecideAgain('the fields were replaced or removed');
      checkConnection(formula, input, current);
      const fields = mergedFields(current, input.fields);
      const isAsked = state.availability === 'failed' && input.fields.length > 0;
      if (!isAsked && areSame(fields, current)) return decide(state, unchanged);
      const payloadId = payloadIdAt(revision);
      await vault.store({ id: payloadId, tenantId, stream, data: fields });
      return decide(state, { ...unchanged, payloadId });
    },
    discard: (revision) => vault.remove(tenantId, [payloadIdAt(revision)]),
  });
  return answerOf(dependencies, executed);
}

const areSame = (one: FieldValues, other: FieldValues): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => other[key] === value);
