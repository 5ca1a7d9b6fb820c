import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { addressFingerprint } from '#commands/member/freeAddress.ts';
import type { OpenInvitation } from '#domain/invitation/state.ts';
import { createMember as decide } from '#domain/member/decide.ts';
import { memberStream } from '#domain/member/events.ts';
import { memberFold } from '#domain/member/state.ts';
import type { LiveMember } from '#domain/member/state.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId, resourceId } from '#src/identifiers.ts';
import { personPayload, withPerson } from '#src/people.ts';
import { invitationStream } from '#domain/invitation/events.ts';

export type NewMemberInput = {
  id: string;
  /** What is accepted: role and email address are taken over. */
  invitation: OpenInvitation;
  names: { firstName: string | undefined; lastName: string | undefined };
};

/**
 * Makes a member of an invitation; one that is there already is left as it is.
 * @throws NotFound (the invitation was deleted meanwhile), Conflicted (the member has been removed), Unavailable
 */
export async function createMember(
  dependencies: CommandDependencies,
  context: CommandContext,
  { id, invitation, names }: NewMemberInput,
): Promise<LiveMember> {
  const { vault } = dependencies;
  const { tenantId, commandId } = context;
  const stream = memberStream(tenantId, id);
  const payloadId = derivedId(commandId, stream, 'none', 'payload');
  const executed = await execute(dependencies, context, {
    stream,
    fold: memberFold,
    decide: async (state) => {
      if (state.status === 'live') return [];
      const userId = resourceId(commandId, 'user');
      const invited = { invitationId: invitation.id, role: invitation.role };
      const decision = decide(state, { id, userId, ...invited, payloadId });
      if (state.status !== 'absent') return decision;
      const { person } = await withPerson(vault, invitation, invitationStream);
      const data = personPayload({ ...person, ...names });
      const fingerprint = await addressFingerprint(dependencies, tenantId, person.email);
      await vault.store({ id: payloadId, tenantId, stream, data, fingerprint });
      return decision;
    },
    discard: () => vault.remove(tenantId, [payloadId]),
  });
  if (executed.state.status !== 'live') throw new NotFound();
  return executed.state;
}
