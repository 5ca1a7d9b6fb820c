import type { RecordedEvent } from '#ports/eventLog.ts';

export type ColumnType =
  'uuid' | 'text' | 'text[]' | 'jsonb' | 'int4' | 'int8' | 'bool' | 'timestamptz' | 'bytea';

/** A value as `pg` takes it for the column's type; jsonb columns take plain JSON values. */
export type ColumnValue = unknown;
export type Row = Record<string, ColumnValue>;

/** Whole numbers by column. */
export type Sums = Readonly<Record<string, number>>;

export type TableDefinition = {
  /** The stable name that queries use; the engine adds the version. */
  name: string;
  columns: Readonly<Record<string, ColumnType>>;
  /** The primary key's columns. */
  key: readonly string[];
  notNull?: readonly string[];
  /** Statements that make the indexes; `%t` is the table, `%i` a prefix that makes index names unique. */
  indexes?: readonly string[];
  /** The column that row-level security compares with the tenant; every table has one. */
  tenantColumn: string;
};

export type RowChange =
  | { op: 'upsert'; table: string; row: Row }
  /** Sets columns of the row with this key; no row, no effect. */
  | { op: 'patch'; table: string; key: Row; set: Row }
  | { op: 'remove'; table: string; key: Row }
  /** Adds to the numbers of the row with this key, which begins with zeros. A table of sums takes nothing else. */
  | { op: 'add'; table: string; key: Row; add: Sums };

/** A view of the log: tables and a pure function from one event to row changes. */
export type Projection = {
  name: string;
  /** Raised when tables or rules change: the next start fills tables of the new version beside the old. */
  version: number;
  tables: readonly TableDefinition[];
  /** The event types it wants. */
  handles: readonly string[];
  apply(event: RecordedEvent): RowChange[];
  /** The id of the application, or tenant, whose cached access must be dropped once the change is visible. */
  invalidatesAccess?(event: RecordedEvent): string | undefined;
};
