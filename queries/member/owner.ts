import { ownerRole } from '#domain/member/role.ts';
import type { LiveMember } from '#domain/member/state.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { listMembers } from '#queries/member/list.ts';
import { NotFound } from '#src/errors.ts';
import type { WithPerson } from '#src/people.ts';

/** More owners than a tenant will have. */
const most = 100;

/** The member who has been the owner for longest. @throws NotFound when nobody is */
export async function getOwner(
  dependencies: QueryDependencies,
  tenantId: string,
): Promise<WithPerson<LiveMember>> {
  const owners = await listMembers(dependencies, tenantId, { role: ownerRole }, { page: 1, size: most });
  const first = owners.items.at(-1);
  if (first === undefined) throw new NotFound('No member has the role of an owner.');
  return first;
}
