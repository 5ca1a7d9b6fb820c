import { unreachable } from '#domain/event.ts';
import type { SessionEvent } from '#domain/session/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import { signature, signatureColumns } from '#projections/author.ts';
import type { Projection, RowChange } from '#projections/projection.ts';

const table = 'sessions';

/** The sessions that there are, and what they may do (never their keys). */
export const sessionsProjection: Projection = {
  name: 'sessions',
  version: 2,
  tables: [
    {
      name: table,
      tenantColumn: 'tenant_id',
      key: ['tenant_id', 'id'],
      columns: {
        tenant_id: 'uuid',
        id: 'uuid',
        application_id: 'uuid',
        authorized_by: 'uuid',
        permissions: 'text[]',
        rules: 'jsonb',
        expires_at: 'text',
        expires_on: 'timestamptz',
        created_at: 'timestamptz',
        ...signatureColumns,
      },
      notNull: [
        'application_id',
        'permissions',
        'rules',
        'expires_at',
        'expires_on',
        'created_at',
        'revision',
      ],
      indexes: ['create index %i_expiring on %t (expires_on)'],
    },
  ],
  handles: ['session.created', 'session.authorized', 'session.expired', 'session.signed'],
  apply: (event) => changes(event as unknown as RecordedEvent & SessionEvent),
  invalidatesAccess: (event) => String(event.data['id']),
};

function changes(event: RecordedEvent & SessionEvent): RowChange[] {
  const key = { tenant_id: event.metadata.tenant_id, id: event.data.id };
  switch (event.type) {
    case 'session.created':
      return [
        {
          op: 'upsert',
          table,
          row: {
            ...key,
            application_id: event.data.application_id,
            authorized_by: null,
            permissions: [],
            rules: [],
            expires_at: event.data.expires_at,
            expires_on: event.data.expires_at,
            created_at: event.metadata.occurred_at,
            ...signature(event),
          },
        },
      ];
    case 'session.authorized':
      return [
        {
          op: 'patch',
          table,
          key,
          set: {
            authorized_by: event.data.application_id,
            permissions: event.data.permissions,
            rules: event.data.rules,
            expires_at: event.data.expires_at,
            expires_on: event.data.expires_at,
            ...signature(event),
          },
        },
      ];
    case 'session.expired':
      return [{ op: 'remove', table, key }];
    case 'session.signed':
      return [{ op: 'patch', table, key, set: signature(event) }];
    default:
      return unreachable(event);
  }
}
