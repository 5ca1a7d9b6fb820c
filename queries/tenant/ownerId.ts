import { ownerRole } from '#domain/member/role.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';

const statement = {
  name: 'tenant_owner_id',
  text: `select member.user_id::text as id from read_models.tenant_members as member
    where member.tenant_id = tenant.id and member.role = $2
    order by member.created_at, member.ordinal limit 1`,
};

/** The user who has been the owner of a tenant for longest; undefined: nobody is. */
export async function findOwnerId(
  { readModels }: Pick<QueryDependencies, 'readModels'>,
  tenantId: string,
): Promise<string | undefined> {
  const [owner] = await readModels.rows<{ id: string }>(tenantId, statement, [ownerRole]);
  return owner?.id;
}
