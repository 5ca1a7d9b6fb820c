import { unreachable } from '#domain/event.ts';
import type { ProxyEvent } from '#domain/proxy/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import { authorColumns, creation, modification, signature, signatureColumns } from '#projections/author.ts';
import type { Projection, RowChange } from '#projections/projection.ts';

const table = 'proxies';

/** The proxies that there are; their keys, destinations and configurations, the vault knows. */
export const proxiesProjection: Projection = {
  name: 'proxies',
  version: 2,
  tables: [
    {
      name: table,
      tenantColumn: 'tenant_id',
      key: ['tenant_id', 'id'],
      columns: {
        tenant_id: 'uuid',
        id: 'uuid',
        name: 'text',
        request_transform: 'text',
        response_transform: 'text',
        request_reactor_id: 'uuid',
        response_reactor_id: 'uuid',
        application_id: 'uuid',
        require_auth: 'bool',
        payload_id: 'uuid',
        ...authorColumns,
        ...signatureColumns,
      },
      notNull: ['name', 'require_auth', 'payload_id', 'created_at', 'ordinal', 'revision'],
      indexes: ['create index %i_newest on %t (tenant_id, created_at desc, ordinal desc)'],
    },
  ],
  handles: ['proxy.created', 'proxy.updated', 'proxy.deleted', 'proxy.signed'],
  apply: (event) => [change(event as unknown as RecordedEvent & ProxyEvent)],
};

function change(event: RecordedEvent & ProxyEvent): RowChange {
  const key = { tenant_id: event.metadata.tenant_id, id: event.data.id };
  switch (event.type) {
    case 'proxy.created':
      return {
        op: 'upsert',
        table,
        row: { ...key, ...attributes(event.data), ...creation(event), ...signature(event) },
      };
    case 'proxy.updated':
      return {
        op: 'patch',
        table,
        key,
        set: { ...attributes(event.data), ...modification(event), ...signature(event) },
      };
    case 'proxy.deleted':
      return { op: 'remove', table, key };
    case 'proxy.signed':
      return { op: 'patch', table, key, set: signature(event) };
    default:
      return unreachable(event);
  }
}

type Written = Extract<ProxyEvent, { type: 'proxy.created' | 'proxy.updated' }>['data'];

const attributes = (written: Written) => ({
  name: written.name,
  request_transform: written.request_transform ?? null,
  response_transform: written.response_transform ?? null,
  request_reactor_id: written.request_reactor_id ?? null,
  response_reactor_id: written.response_reactor_id ?? null,
  application_id: written.application_id ?? null,
  require_auth: written.require_auth,
  payload_id: written.payload_id,
});
