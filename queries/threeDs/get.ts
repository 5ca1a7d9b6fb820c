import { foldStream } from '#domain/fold.ts';
import { threeDsSessionStream } from '#domain/threeDs/events.ts';
import { threeDsSessionFold } from '#domain/threeDs/state.ts';
import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { NotFound } from '#src/errors.ts';
import { isPast } from '#src/expiry.ts';
import { isUuid } from '#src/identifiers.ts';
import { readPayload } from '#src/payloads.ts';

/** One 3-D Secure session. @throws NotFound, also when its day is over */
export async function getThreeDsSession(
  { log, clock }: Pick<QueryDependencies, 'log' | 'clock'>,
  tenantId: string,
  id: string,
): Promise<LiveThreeDsSession> {
  if (!isUuid(id)) throw new NotFound();
  const events = await log.readStream(threeDsSessionStream(tenantId, id.toLowerCase()));
  const state = foldStream(threeDsSessionFold, events);
  if (state.status === 'absent' || isPast(state.expiresAt, clock)) throw new NotFound();
  return state;
}

/**
 * The cryptogram that an authentication earned, in base64; undefined: none.
 * @throws StoreUnavailable, IntegrityError, TenantKeysMissing
 */
export async function authenticationValue(
  { vault }: Pick<QueryDependencies, 'vault'>,
  session: LiveThreeDsSession,
): Promise<string | undefined> {
  const id = session.status === 'created' ? undefined : session.authentication.payload_id;
  if (id === undefined) return undefined;
  const stream = threeDsSessionStream(session.tenantId, session.id);
  const payload = await readPayload(vault, session.tenantId, { id, stream });
  return (await payload?.data()) as string | undefined;
}
