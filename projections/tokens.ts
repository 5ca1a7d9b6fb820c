import type { TokenEvent } from '#domain/token/events.ts';
import { unreachable } from '#domain/event.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Projection, RowChange } from '#projections/projection.ts';
import { metadataTerms } from '#src/metadataTerms.ts';
import { authorColumns, authorOf } from '#projections/author.ts';

const table = 'tokens';
const counts = 'token_counts';

/** The tokens that there are, as lists and reads want them; secrets stay in the vault. */
export const tokensProjection: Projection = {
  name: 'tokens',
  version: 2,
  tables: [
    {
      name: table,
      tenantColumn: 'tenant_id',
      key: ['tenant_id', 'id'],
      columns: {
        tenant_id: 'uuid',
        id: 'text',
        type: 'text',
        payload_id: 'uuid',
        containers: 'text[]',
        mask: 'jsonb',
        metadata: 'jsonb',
        metadata_terms: 'text[]',
        search_indexes: 'text[]',
        fingerprint_expression: 'text',
        expires_at: 'text',
        expires_on: 'timestamptz',
        ...authorColumns,
      },
      notNull: ['type', 'payload_id', 'containers', 'fingerprint_expression', 'created_at', 'ordinal'],
      indexes: [
        'create index %i_newest on %t (tenant_id, created_at desc, ordinal desc)',
        'create index %i_expiring on %t (expires_on) where expires_on is not null',
        'create index %i_metadata on %t using gin (metadata_terms) where metadata_terms is not null',
      ],
    },
    {
      // One row for each set of containers that tokens of a tenant lie in; paths hold no spaces.
      name: counts,
      tenantColumn: 'tenant_id',
      key: ['tenant_id', 'containers'],
      columns: { tenant_id: 'uuid', containers: 'text', tokens: 'int8' },
      notNull: ['tokens'],
    },
  ],
  handles: ['token.created', 'token.updated', 'token.deleted', 'token.expired'],
  apply: (event) => changes(event as unknown as RecordedEvent & TokenEvent),
};

function changes(event: RecordedEvent & TokenEvent): RowChange[] {
  const tenant_id = event.metadata.tenant_id;
  const key = { tenant_id, id: event.data.id };
  const at = event.metadata.occurred_at;
  switch (event.type) {
    case 'token.created':
      return [
        {
          op: 'upsert',
          table,
          row: {
            ...key,
            type: event.data.type,
            ...attributes(tenant_id, event.data),
            created_by: authorOf(event),
            created_at: at,
            modified_by: null,
            modified_at: null,
            ordinal: event.ordinal,
          },
        },
        counted(tenant_id, event.data.containers, 1),
      ];
    case 'token.updated':
      return [
        {
          op: 'patch',
          table,
          key,
          set: { ...attributes(tenant_id, event.data), modified_by: authorOf(event), modified_at: at },
        },
        ...moved(tenant_id, event.data.previous_containers, event.data.containers),
      ];
    case 'token.deleted':
    case 'token.expired':
      return [{ op: 'remove', table, key }, ...moved(tenant_id, event.data.containers, undefined)];
    case 'token.property.expired':
      return [];
    default:
      return unreachable(event);
  }
}

type Attributes = Extract<TokenEvent, { type: 'token.created' | 'token.updated' }>['data'];

function attributes(tenantId: string, data: Attributes) {
  return {
    payload_id: data.payload_id,
    containers: data.containers,
    mask: data.mask ?? null,
    metadata: data.metadata ?? null,
    metadata_terms: data.metadata === undefined ? null : metadataTerms(tenantId, data.metadata),
    search_indexes: data.search_indexes ?? null,
    fingerprint_expression: data.fingerprint_expression,
    expires_at: data.expires_at ?? null,
    expires_on: data.expires_at ?? null,
  };
}

const counted = (tenant_id: string, containers: readonly string[], tokens: number): RowChange => ({
  op: 'add',
  table: counts,
  key: { tenant_id, containers: [...containers].sort().join(' ') },
  add: { tokens },
});

/** Counts a token where it went; the first events did not say where it came from. */
function moved(
  tenantId: string,
  from: readonly string[] | undefined,
  to: readonly string[] | undefined,
): RowChange[] {
  if (from === undefined) return [];
  if (to !== undefined && String(from) === String(to)) return [];
  return [counted(tenantId, from, -1), ...(to === undefined ? [] : [counted(tenantId, to, 1)])];
}
