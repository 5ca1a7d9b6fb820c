import type { TokenEvent } from '#domain/token/events.ts';
import { unreachable } from '#domain/event.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Projection, RowChange } from '#projections/projection.ts';
import { authorOf } from '#projections/author.ts';

const table = 'tokens';

/** The tokens that there are, as lists and reads want them; secrets stay in the vault. */
export const tokensProjection: Projection = {
  name: 'tokens',
  version: 1,
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
        metadata_search: 'jsonb',
        search_indexes: 'text[]',
        fingerprint_expression: 'text',
        expires_at: 'text',
        expires_on: 'timestamptz',
        created_by: 'uuid',
        created_at: 'timestamptz',
        modified_by: 'uuid',
        modified_at: 'timestamptz',
        ordinal: 'int8',
      },
      notNull: ['type', 'payload_id', 'containers', 'fingerprint_expression', 'created_at', 'ordinal'],
      indexes: [
        'create index %i_newest on %t (tenant_id, created_at desc, ordinal desc)',
        'create index %i_expiring on %t (expires_on) where expires_on is not null',
      ],
    },
  ],
  handles: ['token.created', 'token.updated', 'token.deleted', 'token.expired'],
  apply: (event) => changes(event as unknown as RecordedEvent & TokenEvent),
};

function changes(event: RecordedEvent & TokenEvent): RowChange[] {
  const key = { tenant_id: event.metadata.tenant_id, id: event.data.id };
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
            ...attributes(event.data),
            created_by: authorOf(event),
            created_at: at,
            modified_by: null,
            modified_at: null,
            ordinal: event.ordinal,
          },
        },
      ];
    case 'token.updated':
      return [
        {
          op: 'patch',
          table,
          key,
          set: { ...attributes(event.data), modified_by: authorOf(event), modified_at: at },
        },
      ];
    case 'token.deleted':
    case 'token.expired':
      return [{ op: 'remove', table, key }];
    default:
      return unreachable(event);
  }
}

type Attributes = Extract<TokenEvent, { type: 'token.created' | 'token.updated' }>['data'];

function attributes(data: Attributes) {
  return {
    payload_id: data.payload_id,
    containers: data.containers,
    mask: data.mask ?? null,
    metadata: data.metadata ?? null,
    metadata_search: data.metadata === undefined ? null : searchable(data.metadata),
    search_indexes: data.search_indexes ?? null,
    fingerprint_expression: data.fingerprint_expression,
    expires_at: data.expires_at ?? null,
    expires_on: data.expires_at ?? null,
  };
}

/** Filters on metadata ignore the case of values. spec: List Tokens */
function searchable(metadata: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, value.toLowerCase()]));
}
