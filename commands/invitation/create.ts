import { FaultList } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { invitationExpiry } from '#commands/invitation/expiry.ts';
import { whileFree } from '#commands/member/freeAddress.ts';
import type { Pending } from '#commands/member/freeAddress.ts';
import { settle } from '#commands/settle.ts';
import { createInvitation as decide, deleteInvitation as decideDeletion } from '#domain/invitation/decide.ts';
import { invitationStream } from '#domain/invitation/events.ts';
import { invitationFold } from '#domain/invitation/state.ts';
import type { OpenInvitation } from '#domain/invitation/state.ts';
import { emailAddressFault } from '#domain/member/emailAddress.ts';
import { defaultRole, roleFault } from '#domain/member/role.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';
import { derivedId, resourceId } from '#src/identifiers.ts';
import { personPayload } from '#src/people.ts';
import type { WithPerson } from '#src/people.ts';

export type NewInvitationInput = { email: string; role?: string | null };

/**
 * Invites an email address to the tenant, for seven days. No mail is sent: whoever runs the service passes the
 * invitation on, and accepts it on the command line. It takes the place of a pending one of the address. Source:
 * reference of invitations.
 * @throws ValidationFailed, Conflicted (the address is a member's, or just being invited), Unavailable
 */
export async function createInvitation(
  dependencies: CommandDependencies,
  context: CommandContext,
  { email, role: givenRole }: NewInvitationInput,
): Promise<Outcome<WithPerson<OpenInvitation>>> {
  const { vault, clock } = dependencies;
  const { tenantId, commandId } = context;
  const role = givenRole ?? defaultRole;
  const faults = new FaultList();
  faults.addIfAny('email', emailAddressFault(email));
  faults.addIfAny('role', roleFault(role));
  if (faults.any) throw new ValidationFailed(faults.faults);
  const id = resourceId(commandId, 'invitation');
  const stream = invitationStream(tenantId, id);
  const payloadId = derivedId(commandId, stream, 'none', 'payload');
  const person = { email, firstName: undefined, lastName: undefined };
  const replaces = (pending: Pending): Promise<unknown> => takeBack(dependencies, context, pending);
  const address = { email, ownStream: stream, replaces };
  const executed = await whileFree(dependencies, context, address, (fingerprint, confirm) =>
    execute(dependencies, context, {
      stream,
      fold: invitationFold,
      expectNew: true,
      decide: async (state) => {
        await vault.store({ id: payloadId, tenantId, stream, data: personPayload(person), fingerprint });
        await confirm();
        return decide(state, { id, role, payloadId, expiresAt: invitationExpiry(clock) });
      },
    }),
  );
  if (executed.state.status !== 'open') throw new NotFound();
  return settle(dependencies, executed.position, { record: executed.state, person });
}

/** Nothing to do where it was accepted or deleted meanwhile. */
const takeBack = (
  dependencies: CommandDependencies,
  context: CommandContext,
  { id, stream }: Pending,
): Promise<unknown> =>
  execute(
    dependencies,
    { ...context, commandId: derivedId(context.commandId, 'replaced', id) },
    {
      stream,
      fold: invitationFold,
      decide: (state) => (state.status === 'open' ? decideDeletion(state) : []),
    },
  );
