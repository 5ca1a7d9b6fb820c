import { unreachable } from '#domain/event.ts';
import type { ReactorEvent } from '#domain/reactor/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import { authorColumns, creation, modification, signature, signatureColumns } from '#projections/author.ts';
import { textDigest } from '#src/textDigest.ts';
import type { Projection, RowChange } from '#projections/projection.ts';

const table = 'reactors';

/** The reactors that there are; their configurations, the vault knows. */
export const reactorsProjection: Projection = {
  name: 'reactors',
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
        code: 'text',
        code_digest: 'text',
        application_id: 'uuid',
        payload_id: 'uuid',
        ...authorColumns,
        ...signatureColumns,
      },
      notNull: ['name', 'code', 'code_digest', 'payload_id', 'created_at', 'ordinal', 'revision'],
      indexes: ['create index %i_newest on %t (tenant_id, created_at desc, ordinal desc)'],
    },
  ],
  handles: ['reactor.created', 'reactor.updated', 'reactor.deleted', 'reactor.signed'],
  apply: (event) => [change(event as unknown as RecordedEvent & ReactorEvent)],
};

function change(event: RecordedEvent & ReactorEvent): RowChange {
  const key = { tenant_id: event.metadata.tenant_id, id: event.data.id };
  switch (event.type) {
    case 'reactor.created':
      return {
        op: 'upsert',
        table,
        row: { ...key, ...attributes(event.data), ...creation(event), ...signature(event) },
      };
    case 'reactor.updated':
      return {
        op: 'patch',
        table,
        key,
        set: { ...attributes(event.data), ...modification(event), ...signature(event) },
      };
    case 'reactor.deleted':
      return { op: 'remove', table, key };
    case 'reactor.signed':
      return { op: 'patch', table, key, set: signature(event) };
    default:
      return unreachable(event);
  }
}

type Written = Extract<ReactorEvent, { type: 'reactor.created' | 'reactor.updated' }>['data'];

const attributes = ({ name, code, application_id, payload_id }: Written) => ({
  name,
  code,
  code_digest: textDigest(code),
  application_id: application_id ?? null,
  payload_id,
});
