import type { LiveMember } from '#domain/member/state.ts';
import { authorshipOf } from '#queries/authorship.ts';
import type { AuthorshipRow } from '#queries/authorship.ts';
import type { Page, PageRequest, QueryDependencies } from '#queries/dependencies.ts';
import { readPage } from '#queries/page.ts';
import { withPeople } from '#src/people.ts';
import type { WithPerson } from '#src/people.ts';
import { memberStream } from '#domain/member/events.ts';

export type MemberFilter = { userIds?: readonly string[]; role?: string };

type MemberRow = AuthorshipRow & {
  tenant_id: string;
  id: string;
  user_id: string;
  role: string;
  payload_id: string;
};

/** A page of the tenant's members, newest first. Source: reference of members. */
export async function listMembers(
  { readModels, vault }: QueryDependencies,
  tenantId: string,
  { userIds, role }: MemberFilter,
  request: PageRequest,
): Promise<Page<WithPerson<LiveMember>>> {
  const list = {
    name: 'tenant_members',
    columns: 'member.*',
    from: `from read_models.tenant_members as member
      where member.tenant_id = tenant.id
      and ($2::text[] is null or member.user_id::text = any($2))
      and ($3::text is null or member.role = $3)`,
    order: 'member.created_at desc, member.ordinal desc',
    values: [userIds ?? null, role ?? null],
  };
  const page = await readPage<MemberRow>(readModels, tenantId, list, request);
  return { ...page, items: await withPeople(vault, tenantId, page.items.map(memberOf), memberStream) };
}

const memberOf = (row: MemberRow): LiveMember => ({
  status: 'live',
  id: row.id,
  tenantId: row.tenant_id,
  userId: row.user_id,
  role: row.role,
  payloadId: row.payload_id,
  ...authorshipOf(row),
});
