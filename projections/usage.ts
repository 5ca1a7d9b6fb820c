import { unreachable } from '#domain/event.ts';
import type { TokenEvent } from '#domain/token/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Projection, RowChange } from '#projections/projection.ts';

const counts = 'token_type_counts';
const newest = 'token_type_newest';

type Handled = Extract<TokenEvent, { type: 'token.created' | 'token.deleted' | 'token.expired' }>;

/** How many tokens there are of each type, and when the last one was made. */
export const usageProjection: Projection = {
  name: 'usage',
  version: 1,
  tables: [
    {
      name: counts,
      tenantColumn: 'tenant_id',
      key: ['tenant_id', 'type'],
      columns: { tenant_id: 'uuid', type: 'text', tokens: 'int8' },
      notNull: ['tokens'],
    },
    {
      name: newest,
      tenantColumn: 'tenant_id',
      key: ['tenant_id', 'type'],
      columns: { tenant_id: 'uuid', type: 'text', created_at: 'timestamptz' },
      notNull: ['created_at'],
    },
  ],
  handles: ['token.created', 'token.deleted', 'token.expired'],
  apply: (event) => changes(event as unknown as RecordedEvent & Handled),
};

function changes(event: RecordedEvent & Handled): RowChange[] {
  const { tenant_id, occurred_at } = event.metadata;
  switch (event.type) {
    case 'token.created': {
      const key = { tenant_id, type: event.data.type };
      return [
        { op: 'add', table: counts, key, add: { tokens: 1 } },
        { op: 'upsert', table: newest, row: { ...key, created_at: occurred_at } },
      ];
    }
    case 'token.deleted':
    case 'token.expired': {
      // The first events did not say of what type the token was.
      const { type } = event.data;
      return type === undefined
        ? []
        : [{ op: 'add', table: counts, key: { tenant_id, type }, add: { tokens: -1 } }];
    }
    default:
      return unreachable(event);
  }
}
