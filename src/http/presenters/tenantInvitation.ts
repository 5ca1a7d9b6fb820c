import type { OpenInvitation } from '#domain/invitation/state.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';
import type { WithPerson } from '#src/people.ts';

/** An invitation as it goes out. Source: reference of invitations. */
export const presentInvitation = (
  { record, person }: WithPerson<OpenInvitation>,
  isExpired: boolean,
): object =>
  withoutNulls({
    id: record.id,
    tenant_id: record.tenantId,
    email: person.email,
    role: record.role,
    status: isExpired ? 'EXPIRED' : 'PENDING',
    expires_at: record.expiresAt,
    created_by: record.createdBy,
    created_at: record.createdAt,
    modified_by: record.modifiedBy,
    modified_at: record.modifiedAt,
  });
