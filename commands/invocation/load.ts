import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { loadStream } from '#commands/stream.ts';
import { systemContext } from '#commands/systemContext.ts';
import { invocationStream } from '#domain/invocation/events.ts';
import { invocationFold } from '#domain/invocation/state.ts';
import type { InvocationState } from '#domain/invocation/state.ts';

const actor = { type: 'system', id: 'invocations' } as const;

/** An invocation as it stands, and the context of what the service does about it: traced like the call. */
export async function loadInvocation(
  { log }: Pick<CommandDependencies, 'log'>,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<{ state: InvocationState; context: CommandContext }> {
  const { state, last } = await loadStream(log, invocationStream(tenantId, id), invocationFold);
  const context = systemContext(tenantId, actor);
  return { state, context: { ...context, traceId: last?.metadata.trace_id ?? context.traceId } };
}
