import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { invitationExpiry } from '#commands/invitation/expiry.ts';
import { whileFree } from '#commands/member/freeAddress.ts';
import { settle } from '#commands/settle.ts';
import { loadStream } from '#commands/stream.ts';
import { resendInvitation as decide } from '#domain/invitation/decide.ts';
import { invitationStream } from '#domain/invitation/events.ts';
import { invitationFold } from '#domain/invitation/state.ts';
import type { OpenInvitation } from '#domain/invitation/state.ts';
import { NotFound } from '#src/errors.ts';
import { withPerson } from '#src/people.ts';
import type { WithPerson } from '#src/people.ts';

/**
 * Lets an invitation stand for another seven days from now, also one that has expired. No mail is sent.
 * Source: reference of invitations.
 * @throws NotFound, Conflicted (the address was invited anew, or is a member's by now), Unavailable
 */
export async function resendInvitation(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<Outcome<WithPerson<OpenInvitation>>> {
  const { log, vault, clock } = dependencies;
  const stream = invitationStream(context.tenantId, id);
  const { state } = await loadStream(log, stream, invitationFold);
  if (state.status !== 'open') throw new NotFound();
  const { person } = await withPerson(vault, state, invitationStream);
  const address = { email: person.email, ownStream: stream };
  const executed = await whileFree(dependencies, context, address, (_fingerprint, confirm) =>
    execute(dependencies, context, {
      stream,
      fold: invitationFold,
      decide: async (current) => {
        await confirm();
        return decide(current, invitationExpiry(clock));
      },
    }),
  );
  if (executed.state.status !== 'open') throw new NotFound();
  return settle(dependencies, executed.position, { record: executed.state, person });
}
