import type { OpenInvitation } from '#domain/invitation/state.ts';
import { authorshipOf } from '#queries/authorship.ts';
import type { AuthorshipRow } from '#queries/authorship.ts';
import type { Page, PageRequest, QueryDependencies } from '#queries/dependencies.ts';
import { readPage } from '#queries/page.ts';
import { withPeople } from '#src/people.ts';
import type { WithPerson } from '#src/people.ts';
import { invitationStream } from '#domain/invitation/events.ts';

export type InvitationFilter = { isExpired?: boolean };

type InvitationRow = AuthorshipRow & {
  tenant_id: string;
  id: string;
  role: string;
  payload_id: string;
  expires_at: Date;
};

/** A page of the tenant's invitations that nobody has accepted, newest first. Source: reference of invitations. */
export async function listInvitations(
  { readModels, vault, clock }: QueryDependencies,
  tenantId: string,
  { isExpired }: InvitationFilter,
  request: PageRequest,
): Promise<Page<WithPerson<OpenInvitation>>> {
  const list = {
    name: 'tenant_invitations',
    columns: 'invitation.*',
    from: `from read_models.tenant_invitations as invitation
      where invitation.tenant_id = tenant.id
      and ($2::bool is null or (invitation.expires_at <= $3) = $2)`,
    order: 'invitation.created_at desc, invitation.ordinal desc',
    values: [isExpired ?? null, clock.now()],
  };
  const page = await readPage<InvitationRow>(readModels, tenantId, list, request);
  return {
    ...page,
    items: await withPeople(vault, tenantId, page.items.map(invitationOf), invitationStream),
  };
}

const invitationOf = (row: InvitationRow): OpenInvitation => ({
  status: 'open',
  id: row.id,
  tenantId: row.tenant_id,
  role: row.role,
  payloadId: row.payload_id,
  expiresAt: row.expires_at.toISOString(),
  ...authorshipOf(row),
});
