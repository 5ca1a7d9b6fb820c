import { FaultList } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { updateMember as decide } from '#domain/member/decide.ts';
import { memberStream } from '#domain/member/events.ts';
import { roleFault } from '#domain/member/role.ts';
import { memberFold } from '#domain/member/state.ts';
import type { LiveMember } from '#domain/member/state.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';
import { withPerson } from '#src/people.ts';
import type { WithPerson } from '#src/people.ts';

/**
 * Changes the role of a member; null leaves it. Source: reference of members.
 * @throws ValidationFailed, NotFound, Conflicted, Unavailable
 */
export async function updateMember(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  { role }: { role: string | null },
): Promise<Outcome<WithPerson<LiveMember>>> {
  const faults = new FaultList();
  if (role !== null) faults.addIfAny('role', roleFault(role));
  if (faults.any) throw new ValidationFailed(faults.faults);
  const executed = await execute(dependencies, context, {
    stream: memberStream(context.tenantId, id),
    fold: memberFold,
    decide: (state) => (role === null ? [] : decide(state, role)),
  });
  if (executed.state.status !== 'live') throw new NotFound();
  return settle(
    dependencies,
    executed.position,
    await withPerson(dependencies.vault, executed.state, memberStream),
  );
}
