import { randomUUID } from 'node:crypto';
import type { EventToAppend, RecordedEvent } from '#ports/eventLog.ts';
import type { Json, JsonObject } from '#ports/json.ts';
import type { Projection, Row, RowChange } from '#projections/projection.ts';

export const tenantId = '8f6e2f0c-5d0a-4a5e-9d5c-1d1f3f6f0001';
export const thingTypes = ['thing.added', 'thing.renamed', 'thing.removed'];

export type ThingsOptions = {
  name?: string;
  version?: number;
  /** The name of a thing that makes `apply` throw. */
  refuses?: string;
};

/** A view with a column of every type. A thing without a name is refused by its table. */
export function things({ name = 'things', version = 1, refuses }: ThingsOptions = {}): Projection {
  const added = (event: RecordedEvent): Row => ({
    tenant_id: event.metadata.tenant_id,
    id: event.data['id'],
    name: event.data['name'] ?? null,
    tags: event.data['tags'] ?? null,
    details: event.data['details'] ?? null,
    size: 7,
    ordinal: event.ordinal,
    active: true,
    digest: Buffer.from([0, 92, 255]),
    added_at: event.metadata.occurred_at,
  });
  return {
    name,
    version,
    tables: [
      {
        name,
        columns: {
          tenant_id: 'uuid',
          id: 'text',
          name: 'text',
          tags: 'text[]',
          details: 'jsonb',
          size: 'int4',
          ordinal: 'int8',
          active: 'bool',
          digest: 'bytea',
          added_at: 'timestamptz',
          renamed_at: 'timestamptz',
        },
        key: ['tenant_id', 'id'],
        notNull: ['name'],
        indexes: [
          'create index %i_added on %t (tenant_id, added_at desc, ordinal desc)',
          'create index %i_renamed on %t (renamed_at) where renamed_at is not null',
        ],
        tenantColumn: 'tenant_id',
      },
    ],
    handles: thingTypes,
    apply: (event): RowChange[] => {
      const key = { tenant_id: event.metadata.tenant_id, id: event.data['id'] };
      if (refuses !== undefined && event.data['name'] === refuses) throw new Error('a name is refused');
      switch (event.type) {
        case 'thing.added':
          return [{ op: 'upsert', table: name, row: added(event) }];
        case 'thing.renamed': {
          const set = { name: event.data['name'] ?? null, renamed_at: event.metadata.occurred_at };
          return [{ op: 'patch', table: name, key, set }];
        }
        default:
          return [{ op: 'remove', table: name, key }];
      }
    },
    invalidatesAccess: ({ data }) =>
      typeof data['application_id'] === 'string' ? data['application_id'] : undefined,
  };
}

/** Of a category that an event store knows for ours. */
export function thingStream(id: string): string {
  return `token-${tenantId}.${id}`;
}

export function added(id: string, data: JsonObject = {}): EventToAppend {
  return toAppend('thing.added', { id, name: `thing ${id}`, ...data });
}

export function renamed(id: string, name: Json): EventToAppend {
  return toAppend('thing.renamed', { id, name });
}

export function removed(id: string): EventToAppend {
  return toAppend('thing.removed', { id });
}

export function toAppend(type: string, data: JsonObject): EventToAppend {
  return {
    id: randomUUID(),
    type,
    data,
    metadata: {
      tenant_id: tenantId,
      actor: { type: 'application', id: randomUUID() },
      trace_id: randomUUID(),
      command_id: randomUUID(),
      schema_version: 1,
      occurred_at: '2030-01-02T03:04:05.678Z',
    },
  };
}
