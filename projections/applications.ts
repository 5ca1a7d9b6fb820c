import type { ApplicationEvent } from '#domain/application/events.ts';
import { unreachable } from '#domain/event.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import { authorColumns, authorOf, signature, signatureColumns } from '#projections/author.ts';
import type { Projection, RowChange } from '#projections/projection.ts';

const applications = 'applications';

/** The applications that there are, with their keys (never a key's secret). */
export const applicationsProjection: Projection = {
  name: 'applications',
  version: 4,
  tables: [
    {
      name: applications,
      tenantColumn: 'tenant_id',
      key: ['tenant_id', 'id'],
      columns: {
        tenant_id: 'uuid',
        id: 'uuid',
        name: 'text',
        type: 'text',
        permissions: 'text[]',
        rules: 'jsonb',
        every_permission: 'bool',
        public_fingerprints: 'bool',
        origins: 'text[]',
        expires_at: 'text',
        expires_on: 'timestamptz',
        ...authorColumns,
        ...signatureColumns,
      },
      notNull: [
        'name',
        'type',
        'permissions',
        'rules',
        'every_permission',
        'created_at',
        'ordinal',
        'revision',
      ],
      indexes: [
        'create index %i_newest on %t (tenant_id, created_at desc, ordinal desc)',
        'create index %i_expiring on %t (expires_on) where expires_on is not null',
      ],
    },
    {
      name: 'application_keys',
      tenantColumn: 'tenant_id',
      key: ['tenant_id', 'application_id', 'id'],
      columns: {
        tenant_id: 'uuid',
        application_id: 'uuid',
        id: 'uuid',
        created_by: 'uuid',
        created_at: 'timestamptz',
        ordinal: 'int8',
      },
      notNull: ['created_at', 'ordinal'],
      indexes: ['create index %i_by_id on %t (tenant_id, id)'],
    },
  ],
  handles: [
    'application.created',
    'application.updated',
    'application.deleted',
    'application.key.created',
    'application.key.deleted',
    'application.signed',
  ],
  apply: (event) => changes(event as unknown as RecordedEvent & ApplicationEvent),
  invalidatesAccess: (event) => String(event.data['id']),
};

function changes(event: RecordedEvent & ApplicationEvent): RowChange[] {
  const tenant = { tenant_id: event.metadata.tenant_id };
  const key = { ...tenant, id: event.data.id };
  const at = event.metadata.occurred_at;
  const signed: RowChange = { op: 'patch', table: applications, key, set: signature(event) };
  switch (event.type) {
    case 'application.created':
      return [
        {
          op: 'upsert',
          table: applications,
          row: {
            ...key,
            type: event.data.type,
            ...rights(event.data),
            expires_at: event.data.expires_at ?? null,
            expires_on: event.data.expires_at ?? null,
            created_by: authorOf(event),
            created_at: at,
            modified_by: null,
            modified_at: null,
            ordinal: event.ordinal,
            ...signature(event),
          },
        },
      ];
    case 'application.updated':
      return [
        {
          op: 'patch',
          table: applications,
          key,
          set: { ...rights(event.data), modified_by: authorOf(event), modified_at: at, ...signature(event) },
        },
      ];
    case 'application.deleted':
      return [
        { op: 'remove', table: applications, key },
        ...event.data.key_ids.map((keyId) => removedKey(tenant, event.data.id, keyId)),
      ];
    case 'application.key.created':
      return [
        {
          op: 'upsert',
          table: 'application_keys',
          row: {
            ...tenant,
            application_id: event.data.id,
            id: event.data.key_id,
            created_by: authorOf(event),
            created_at: at,
            ordinal: event.ordinal,
          },
        },
        signed,
      ];
    case 'application.key.deleted':
      return [removedKey(tenant, event.data.id, event.data.key_id), signed];
    case 'application.signed':
      return [signed];
    default:
      return unreachable(event);
  }
}

const removedKey = (tenant: { tenant_id: string }, applicationId: string, id: string): RowChange => ({
  op: 'remove',
  table: 'application_keys',
  key: { ...tenant, application_id: applicationId, id },
});

type Rights = Extract<ApplicationEvent, { type: 'application.created' | 'application.updated' }>['data'];

function rights(data: Rights) {
  return {
    name: data.name,
    permissions: data.permissions,
    rules: data.rules,
    every_permission: data.every_permission,
    public_fingerprints: data.public_fingerprints,
    origins: data.origins,
  };
}
