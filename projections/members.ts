import { unreachable } from '#domain/event.ts';
import type { InvitationEvent } from '#domain/invitation/events.ts';
import type { MemberEvent } from '#domain/member/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import { authorColumns, creation, modification } from '#projections/author.ts';
import type { ColumnType, Projection, RowChange } from '#projections/projection.ts';

const invitations = 'tenant_invitations';
const members = 'tenant_members';

const shared = {
  tenant_id: 'uuid',
  id: 'uuid',
  role: 'text',
  payload_id: 'uuid',
  ...authorColumns,
} as const satisfies Record<string, ColumnType>;
const required = ['role', 'payload_id', 'created_at', 'ordinal'];
const key = ['tenant_id', 'id'];
const indexes = ['create index %i_newest on %t (tenant_id, created_at desc, ordinal desc)'];

/** The members of tenants and the invitations that are open; who they are, the vault knows. */
export const membersProjection: Projection = {
  name: 'members',
  version: 1,
  tables: [
    {
      name: invitations,
      tenantColumn: 'tenant_id',
      key,
      columns: { ...shared, expires_at: 'timestamptz' },
      notNull: [...required, 'expires_at'],
      indexes,
    },
    {
      name: members,
      tenantColumn: 'tenant_id',
      key,
      columns: { ...shared, user_id: 'uuid' },
      notNull: [...required, 'user_id'],
      indexes,
    },
  ],
  handles: [
    'tenant.invitation.created',
    'tenant.invitation.resent',
    'tenant.invitation.accepted',
    'tenant.invitation.deleted',
    'tenant.member.created',
    'tenant.member.updated',
    'tenant.member.deleted',
  ],
  apply: (event) => [change(event as unknown as RecordedEvent & (InvitationEvent | MemberEvent))],
};

function change(event: RecordedEvent & (InvitationEvent | MemberEvent)): RowChange {
  const key = { tenant_id: event.metadata.tenant_id, id: event.data.id };
  switch (event.type) {
    case 'tenant.invitation.created': {
      const { role, payload_id, expires_at } = event.data;
      const row = { ...key, role, payload_id, expires_at, ...creation(event) };
      return { op: 'upsert', table: invitations, row };
    }
    case 'tenant.invitation.resent': {
      const set = { expires_at: event.data.expires_at, ...modification(event) };
      return { op: 'patch', table: invitations, key, set };
    }
    case 'tenant.invitation.accepted':
    case 'tenant.invitation.deleted':
      return { op: 'remove', table: invitations, key };
    case 'tenant.member.created': {
      const { role, payload_id, user_id } = event.data;
      return { op: 'upsert', table: members, row: { ...key, role, payload_id, user_id, ...creation(event) } };
    }
    case 'tenant.member.updated':
      return { op: 'patch', table: members, key, set: { role: event.data.role, ...modification(event) } };
    case 'tenant.member.deleted':
      return { op: 'remove', table: members, key };
    default:
      return unreachable(event);
  }
}
