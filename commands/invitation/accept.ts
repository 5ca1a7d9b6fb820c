import { isPast } from '#src/expiry.ts';
import { FaultList } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { createMember } from '#commands/member/create.ts';
import { settle } from '#commands/settle.ts';
import { loadStream } from '#commands/stream.ts';
import { isRefusal } from '#domain/event.ts';
import { acceptInvitation as decide } from '#domain/invitation/decide.ts';
import { invitationStream } from '#domain/invitation/events.ts';
import { invitationFold } from '#domain/invitation/state.ts';
import { retractMember } from '#domain/member/decide.ts';
import { memberStream } from '#domain/member/events.ts';
import { memberFold } from '#domain/member/state.ts';
import type { LiveMember } from '#domain/member/state.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';
import { derivedId, isUuid, resourceId } from '#src/identifiers.ts';

/** In characters. */
const longestName = 100;

export type Names = { firstName: string | undefined; lastName: string | undefined };

/**
 * Makes whoever was invited a member. It is an operator's to say so, because no mail is sent that would show who
 * reads it.
 * @throws ValidationFailed, NotFound, Unprocessable (it has expired), Conflicted, Unavailable
 */
export async function acceptInvitation(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  names: Names,
): Promise<Outcome<LiveMember>> {
  checkNames(names);
  if (!isUuid(id)) throw new NotFound();
  const { log, clock } = dependencies;
  const { tenantId } = context;
  const memberId = resourceId(id, 'member');
  const executed = await execute(dependencies, context, {
    stream: invitationStream(tenantId, id),
    fold: invitationFold,
    decide: async (state) => {
      if (state.status === 'deleted') await takeBack(dependencies, context, memberId);
      const decision = decide(state, memberId, (expiresAt) => isPast(expiresAt, clock));
      if (isRefusal(decision) || state.status !== 'open') return decision;
      // The member comes first, so that the address is never free in between. A run that ended here is made good
      // by the next, which finds the member by the id that follows from the invitation's.
      await createMember(dependencies, context, { id: memberId, invitation: state, names });
      return decision;
    },
  });
  const { state: member } = await loadStream(log, memberStream(tenantId, memberId), memberFold);
  if (member.status !== 'live') throw new NotFound();
  return settle(dependencies, executed.position, member);
}

/** Somebody deleted the invitation while it was being accepted, which goes before: there is to be no member. */
async function takeBack(
  dependencies: CommandDependencies,
  context: CommandContext,
  memberId: string,
): Promise<void> {
  // Under the id of this command the member's stream would tell that all is done.
  const commandId = derivedId(context.commandId, 'take back');
  const { position } = await execute(
    dependencies,
    { ...context, commandId },
    {
      stream: memberStream(context.tenantId, memberId),
      fold: memberFold,
      decide: retractMember,
    },
  );
  await settle(dependencies, position, undefined);
}

function checkNames({ firstName, lastName }: Names): void {
  const faults = new FaultList();
  for (const [path, name] of [
    ['first_name', firstName],
    ['last_name', lastName],
  ] as const) {
    if (name !== undefined && (name.trim() === '' || name.length > longestName)) {
      faults.add(path, `must be 1 to ${longestName} characters long, and not blank`);
    }
  }
  if (faults.any) throw new ValidationFailed(faults.faults);
}
