import { hasExpired } from '#src/expiry.ts';
import type { CommandDependencies } from '#commands/context.ts';
import { loadStream } from '#commands/stream.ts';
import { applicationStream } from '#domain/application/events.ts';
import { applicationFold } from '#domain/application/state.ts';

/** Why code may not be lent the rights of an application; undefined: it may. spec: Reactor, application */
export async function lentApplicationFault(
  { log, clock }: Pick<CommandDependencies, 'log' | 'clock'>,
  tenantId: string,
  id: string,
): Promise<string | undefined> {
  const { state } = await loadStream(log, applicationStream(tenantId, id), applicationFold);
  if (state.status !== 'live' || hasExpired(state, clock)) return 'must be the id of an application';
  return state.type === 'management' ? 'must be the id of a public or private application' : undefined;
}
