import { foldStream } from '#domain/fold.ts';
import { invitationStream } from '#domain/invitation/events.ts';
import { invitationFold } from '#domain/invitation/state.ts';
import type { OpenInvitation } from '#domain/invitation/state.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { NotFound } from '#src/errors.ts';
import { withPerson } from '#src/people.ts';
import type { WithPerson } from '#src/people.ts';

/** An invitation that nobody has accepted; it may have expired. @throws NotFound */
export async function getInvitation(
  { log, vault }: Pick<QueryDependencies, 'log' | 'vault'>,
  tenantId: string,
  id: string,
): Promise<WithPerson<OpenInvitation>> {
  const state = foldStream(invitationFold, await log.readStream(invitationStream(tenantId, id)));
  if (state.status !== 'open') throw new NotFound();
  return withPerson(vault, state, invitationStream);
}
