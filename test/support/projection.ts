import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { NetChange, NetChanges } from '#projections/engine/changes.ts';
import { foldChange } from '#projections/engine/changes.ts';
import { textForm } from '#projections/engine/columns.ts';
import { changesOf, feedOf } from '#projections/engine/project.ts';
import type { Table } from '#projections/engine/tables.ts';
import { columnType, liveTables } from '#projections/engine/tables.ts';
import type { Projection, Row } from '#projections/projection.ts';

/** The rows that must be there, by table; columns that are left out must be null. */
export type ExpectedRows = Readonly<Record<string, readonly Row[]>>;

type Specification = {
  given(events: readonly RecordedEvent[]): {
    /** Applies the events, in order; again as a whole for each further time. */
    when(options?: { numberOfTimes?: number }): {
      then(expected: ExpectedRows): void;
      thenInvalidates(applicationIds: readonly string[]): void;
    };
  };
};

/**
 * Says what rows a projection makes of events, without a database:
 * `specification(tokens).given(events).when({ numberOfTimes: 2 }).then({ tokens: [row] })`.
 */
export function specification(projection: Projection): Specification {
  return {
    given: (events) => ({
      when: ({ numberOfTimes = 1 } = {}) => {
        const repeated = Array.from({ length: numberOfTimes }, () => events).flat();
        return {
          then: (expected) => {
            const rows = rowsAfter(projection, repeated);
            for (const [table, found] of rows) {
              const wanted = (expected[table.definition.name] ?? []).map((row) => comparable(table, row));
              assert.equal(sorted(table, found), sorted(table, wanted));
            }
          },
          thenInvalidates: (applicationIds) => {
            const invalidated = repeated.flatMap((event) => projection.invalidatesAccess?.(event) ?? []);
            assert.equal([...new Set(invalidated)].sort(), [...applicationIds].sort());
          },
        };
      },
    }),
  };
}

let lastPosition = 0;

/** An event as the log would give it; each is at a later position than the one before. */
export function recordedEvent(
  event: Pick<RecordedEvent, 'type' | 'data'> &
    Partial<Omit<RecordedEvent, 'metadata'>> & { metadata?: Partial<RecordedEvent['metadata']> },
): RecordedEvent {
  lastPosition += 1;
  return {
    id: randomUUID(),
    stream: 'thing-tenant.id',
    revision: 0n,
    position: String(lastPosition),
    ordinal: BigInt(lastPosition),
    ...event,
    metadata: {
      tenant_id: '8f6e2f0c-5d0a-4a5e-9d5c-1d1f3f6f0001',
      actor: { type: 'application', id: '8f6e2f0c-5d0a-4a5e-9d5c-1d1f3f6f0002' },
      trace_id: '8f6e2f0c-5d0a-4a5e-9d5c-1d1f3f6f0003',
      command_id: '8f6e2f0c-5d0a-4a5e-9d5c-1d1f3f6f0004',
      schema_version: 1,
      occurred_at: '2030-01-02T03:04:05.678Z',
      ...event.metadata,
    },
  };
}

type ComparableRow = Record<string, string | null>;

function rowsAfter(projection: Projection, events: readonly RecordedEvent[]): Map<Table, ComparableRow[]> {
  const feed = feedOf(projection, liveTables(projection));
  const changes = new Map<Table, NetChanges>([...feed.tables.values()].map((table) => [table, new Map()]));
  for (const event of events) {
    assert.ok(feed.handles.has(event.type), `${projection.name} does not handle ${event.type}`);
    for (const { table, key, change } of changesOf(feed, event)) {
      const ofTable = changes.get(table) ?? new Map<string, NetChange>();
      foldChange(ofTable, key, change);
      checkColumns(table, change);
      if (change.op === 'patch') checkPatch(table, change.set);
    }
  }
  return new Map([...changes].map(([table, ofTable]) => [table, rowsOf(table, ofTable)]));
}

/** Nothing was there before, so a patch without a row has no effect, like a removal. */
function rowsOf(table: Table, changes: NetChanges): ComparableRow[] {
  return [...changes.values()].flatMap((change) => {
    if (change.op === 'add') return [comparable(table, { ...change.key, ...change.add })];
    if (change.op !== 'upsert') return [];
    for (const required of [...table.definition.key, ...(table.definition.notNull ?? [])]) {
      assert.is.not(
        change.row[required] ?? null,
        null,
        `${table.definition.name}.${required} must not be null`,
      );
    }
    return [comparable(table, change.row)];
  });
}

function comparable(table: Table, row: Row): ComparableRow {
  for (const column of Object.keys(row)) columnType(table.definition, column);
  return Object.fromEntries(table.columns.map(({ name, type }) => [name, textForm(type, row[name])]));
}

function checkColumns({ definition }: Table, change: { row?: Row; key?: Row; set?: Row; add?: Row }): void {
  for (const column of Object.keys({ ...change.row, ...change.key, ...change.set, ...change.add })) {
    columnType(definition, column);
  }
}

function checkPatch({ definition }: Table, set: Row): void {
  for (const column of definition.key) assert.not(column in set, `${column} is part of the key`);
}

function sorted(table: Table, rows: readonly ComparableRow[]): ComparableRow[] {
  return [...rows].sort((a, b) => (table.keyOf(a) < table.keyOf(b) ? -1 : 1));
}
