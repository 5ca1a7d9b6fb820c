import { unreachable } from '#domain/event.ts';
import type { TenantEvent } from '#domain/tenant/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import { signature, signatureColumns } from '#projections/author.ts';
import type { Projection, RowChange } from '#projections/projection.ts';

const table = 'tenants';

/** The tenants that there are, with the settings that requests go by. */
export const tenantsProjection: Projection = {
  name: 'tenants',
  version: 3,
  tables: [
    {
      name: table,
      tenantColumn: 'id',
      key: ['id'],
      columns: {
        id: 'uuid',
        name: 'text',
        settings: 'jsonb',
        created_at: 'timestamptz',
        ordinal: 'int8',
        ...signatureColumns,
      },
      notNull: ['name', 'settings', 'created_at', 'ordinal', 'revision'],
    },
  ],
  handles: ['tenant.created', 'tenant.updated', 'tenant.deleted', 'tenant.signed'],
  apply: (event) => changes(event as unknown as RecordedEvent & TenantEvent),
  // What is remembered of a caller holds the settings of its tenant.
  invalidatesAccess: (event) => (event.type === 'tenant.created' ? undefined : event.metadata.tenant_id),
};

function changes(event: RecordedEvent & TenantEvent): RowChange[] {
  const { id } = event.data;
  switch (event.type) {
    case 'tenant.created': {
      const { name } = event.data;
      const created = { created_at: event.metadata.occurred_at, ordinal: event.ordinal };
      return [{ op: 'upsert', table, row: { id, name, settings: {}, ...created, ...signature(event) } }];
    }
    case 'tenant.updated':
      return [
        {
          op: 'patch',
          table,
          key: { id },
          set: { name: event.data.name, settings: event.data.settings, ...signature(event) },
        },
      ];
    case 'tenant.signed':
      return [{ op: 'patch', table, key: { id }, set: signature(event) }];
    case 'tenant.deleted':
      return [{ op: 'remove', table, key: { id } }];
    case 'tenant.erased':
      return [];
    default:
      return unreachable(event);
  }
}
