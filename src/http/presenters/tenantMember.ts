import type { LiveMember } from '#domain/member/state.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';
import type { WithPerson } from '#src/people.ts';

/** A member as it goes out. Source: reference of members. */
export const presentMember = ({ record, person }: WithPerson<LiveMember>): object =>
  withoutNulls({
    id: record.id,
    tenant_id: record.tenantId,
    user: withoutNulls({
      id: record.userId,
      email: person.email,
      first_name: person.firstName,
      last_name: person.lastName,
    }),
    role: record.role,
    created_by: record.createdBy,
    created_at: record.createdAt,
    // One of the two client libraries reads the time under this name.
    created_date: record.createdAt,
    modified_by: record.modifiedBy,
    modified_at: record.modifiedAt,
  });
