import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { checkCallbackUrl } from '#commands/invocation/callbackUrl.ts';
import { invoke as decide } from '#domain/invocation/decide.ts';
import { invocationStream } from '#domain/invocation/events.ts';
import { invocationFold } from '#domain/invocation/state.ts';
import type { Json } from '#ports/json.ts';
import type { OutboundGuard } from '#ports/outbound.ts';
import { derivedId, resourceId } from '#src/identifiers.ts';
import type { PreparedInvocation } from '#src/reactors/invocation.ts';
import { toKeep } from '#src/reactors/kept.ts';

/** What waits longer than this is not run any more, nor sent, in milliseconds. */
const patience = 24 * 60 * 60_000;

export type StartDependencies = CommandDependencies & { outboundGuard: OutboundGuard };

/**
 * Keeps an invocation for a worker to run, in a moment.
 * @param prepared checked and detokenized; it lies in the vault until the run has ended
 * @throws ValidationFailed for the URL, Conflicted, Unavailable
 */
export async function startInvocation(
  dependencies: StartDependencies,
  context: CommandContext,
  prepared: PreparedInvocation,
  { callbackUrl }: { callbackUrl?: string | undefined } = {},
): Promise<{ id: string }> {
  if (callbackUrl !== undefined) checkCallbackUrl(dependencies, context, callbackUrl);
  const { vault, clock } = dependencies;
  const { tenantId, commandId } = context;
  const id = resourceId(commandId, 'invocation');
  const stream = invocationStream(tenantId, id);
  const expiresAt = new Date(clock.now().getTime() + patience);
  const argsPayloadId = derivedId(commandId, stream, 'args');
  const args = { id: argsPayloadId, tenantId, stream, expiresAt };
  const payloads = [toKeep(args, prepared as unknown as Json, prepared.shortLivedSince)];
  const callbackPayloadId = callbackUrl === undefined ? undefined : derivedId(commandId, stream, 'callback');
  if (callbackUrl !== undefined && callbackPayloadId !== undefined) {
    payloads.push({ id: callbackPayloadId, tenantId, stream, data: { url: callbackUrl }, expiresAt });
  }
  await execute(dependencies, context, {
    stream,
    fold: invocationFold,
    expectNew: true,
    decide: async (state) => {
      await vault.storeAll(payloads);
      return decide(state, { id, reactor: prepared.reactor, argsPayloadId, callbackPayloadId });
    },
  });
  return { id };
}
