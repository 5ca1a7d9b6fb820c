import type { ConnectionEvent } from '#domain/connection/events.ts';
import { unreachable } from '#domain/event.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import { authorColumns, creation, modification } from '#projections/author.ts';
import type { Projection, RowChange } from '#projections/projection.ts';

const table = 'connections';
/** Those that are deleted, and whose fields the vault still keeps. */
const deletedTable = 'deleted_connections';

/** The connections that there are; their fields, the vault knows. */
export const connectionsProjection: Projection = {
  name: 'connections',
  version: 2,
  tables: [
    {
      name: table,
      tenantColumn: 'tenant_id',
      key: ['tenant_id', 'id'],
      columns: {
        tenant_id: 'uuid',
        id: 'uuid',
        connection_formula_id: 'text',
        method: 'text',
        display_name: 'text',
        accepted_countries: 'text[]',
        accepted_currencies: 'text[]',
        active: 'bool',
        status: 'text',
        three_d_secure_enabled: 'bool',
        payload_id: 'uuid',
        ...authorColumns,
      },
      notNull: ['connection_formula_id', 'display_name', 'status', 'payload_id', 'created_at', 'ordinal'],
      indexes: ['create index %i_newest on %t (tenant_id, created_at desc, ordinal desc)'],
    },
    {
      name: deletedTable,
      tenantColumn: 'tenant_id',
      key: ['tenant_id', 'id'],
      columns: { tenant_id: 'uuid', id: 'uuid', deleted_at: 'timestamptz' },
      notNull: ['deleted_at'],
      indexes: ['create index %i_oldest on %t (deleted_at)'],
    },
  ],
  handles: [
    'connection.created',
    'connection.updated',
    'connection.available',
    'connection.failed',
    'connection.deleted',
    'connection.forgotten',
  ],
  apply: (event) => changes(event as unknown as RecordedEvent & ConnectionEvent),
};

function changes(event: RecordedEvent & ConnectionEvent): RowChange[] {
  const key = { tenant_id: event.metadata.tenant_id, id: event.data.id };
  switch (event.type) {
    case 'connection.created': {
      const { connection_formula_id, method, three_d_secure_enabled } = event.data;
      const kind = { connection_formula_id, method, three_d_secure_enabled };
      const row = { ...key, ...kind, ...attributes(event.data), status: 'pending', ...creation(event) };
      return [{ op: 'upsert', table, row }];
    }
    case 'connection.updated': {
      const set = { ...attributes(event.data), ...modification(event) };
      const isReplaced = event.data.previous_payload_id !== undefined;
      return [{ op: 'patch', table, key, set: isReplaced ? { ...set, status: 'pending' } : set }];
    }
    case 'connection.available':
      return [{ op: 'patch', table, key, set: { status: 'available' } }];
    case 'connection.failed':
      return [{ op: 'patch', table, key, set: { status: 'failed' } }];
    case 'connection.deleted':
      return [
        { op: 'remove', table, key },
        { op: 'upsert', table: deletedTable, row: { ...key, deleted_at: event.metadata.occurred_at } },
      ];
    case 'connection.forgotten':
      return [{ op: 'remove', table: deletedTable, key }];
    default:
      return unreachable(event);
  }
}

type Written = Extract<ConnectionEvent, { type: 'connection.created' | 'connection.updated' }>['data'];

const attributes = (data: Written) => ({
  display_name: data.display_name,
  accepted_countries: data.accepted_countries,
  accepted_currencies: data.accepted_currencies,
  active: data.active,
  payload_id: data.payload_id,
});
