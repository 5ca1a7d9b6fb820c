import type { TenantEvent } from '#domain/tenant/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Projection, RowChange } from '#projections/projection.ts';

/** The tenants that there are. */
export const tenantsProjection: Projection = {
  name: 'tenants',
  version: 1,
  tables: [
    {
      name: 'tenants',
      tenantColumn: 'id',
      key: ['id'],
      columns: { id: 'uuid', name: 'text', created_at: 'timestamptz', ordinal: 'int8' },
      notNull: ['name', 'created_at', 'ordinal'],
    },
  ],
  handles: ['tenant.created'],
  apply: (event) => changes(event as unknown as RecordedEvent & TenantEvent),
};

function changes(event: RecordedEvent & TenantEvent): RowChange[] {
  return [
    {
      op: 'upsert',
      table: 'tenants',
      row: {
        id: event.data.id,
        name: event.data.name,
        created_at: event.metadata.occurred_at,
        ordinal: event.ordinal,
      },
    },
  ];
}
