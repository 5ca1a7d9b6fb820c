import { unreachable } from '#domain/event.ts';
import type { TenantEvent } from '#domain/tenant/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Projection, RowChange } from '#projections/projection.ts';

const table = 'tenants';

/** The tenants that there are, with the settings that requests go by. */
export const tenantsProjection: Projection = {
  name: 'tenants',
  version: 2,
  tables: [
    {
      name: table,
      tenantColumn: 'id',
      key: ['id'],
      columns: { id: 'uuid', name: 'text', settings: 'jsonb', created_at: 'timestamptz', ordinal: 'int8' },
      notNull: ['name', 'settings', 'created_at', 'ordinal'],
    },
  ],
  handles: ['tenant.created', 'tenant.updated'],
  apply: (event) => changes(event as unknown as RecordedEvent & TenantEvent),
  // What is remembered of a caller holds the settings of its tenant.
  invalidatesAccess: (event) => (event.type === 'tenant.updated' ? event.metadata.tenant_id : undefined),
};

function changes(event: RecordedEvent & TenantEvent): RowChange[] {
  const { id, name } = event.data;
  switch (event.type) {
    case 'tenant.created': {
      const created = { created_at: event.metadata.occurred_at, ordinal: event.ordinal };
      return [{ op: 'upsert', table, row: { id, name, settings: {}, ...created } }];
    }
    case 'tenant.updated':
      return [{ op: 'patch', table, key: { id }, set: { name, settings: event.data.settings } }];
    default:
      return unreachable(event);
  }
}
