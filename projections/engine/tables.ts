import type { ColumnType, Projection, Row, TableDefinition } from '#projections/projection.ts';

export type Column = { name: string; type: ColumnType };

/** A table definition with the table that stands for it just now. */
export type Table = {
  definition: TableDefinition;
  /** The table's own name, without the schema. */
  name: string;
  columns: readonly Column[];
  /** The row's key as one string: equal for equal keys. @throws when a column of the key is missing */
  keyOf(values: Row): string;
};

/** A projection's tables by the names that its row changes use. */
export type Tables = ReadonlyMap<string, Table>;

/** The tables that queries read, `<table>_v<version>`. */
export function liveTables(projection: Projection): Tables {
  return tablesWithSuffix(projection, `_v${projection.version}`);
}

/** Tables beside the live ones, for a rebuild or a verification. */
export function shadowTables(projection: Projection): Tables {
  return tablesWithSuffix(projection, `_v${projection.version}_shadow`);
}

function tablesWithSuffix(projection: Projection, suffix: string): Tables {
  return new Map(
    projection.tables.map((definition) => [
      definition.name,
      tableNamed(definition.name + suffix, definition),
    ]),
  );
}

function tableNamed(name: string, definition: TableDefinition): Table {
  const keyColumns = definition.key.map((column) => ({
    name: column,
    isUuid: columnType(definition, column) === 'uuid',
  }));
  return {
    definition,
    name,
    columns: Object.entries(definition.columns).map(([column, type]) => ({ name: column, type })),
    keyOf: (values) => {
      let key = '';
      for (const column of keyColumns) {
        const value = values[column.name];
        if (value === null || value === undefined) {
          throw new Error(`a change of ${definition.name} lacks ${column.name} of its key`);
        }
        // Postgres sees one uuid in two spellings, and refuses to change a row twice in one statement.
        const text = String(value);
        key += column.isUuid ? `${text.toLowerCase()}\0` : `${text}\0`;
      }
      return key;
    },
  };
}

/** @throws when there is no such column */
export function columnType(definition: TableDefinition, column: string): ColumnType {
  const type = definition.columns[column];
  if (type === undefined) throw new Error(`${definition.name} has no column ${column}`);
  return type;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quotedList(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}

export function qualified(table: string): string {
  return `read_models.${quoted(table)}`;
}

/** Creates a table behind row-level security, without key and indexes: rows are filled in faster so. */
export function createTableSql({ definition, name, columns }: Table): string {
  const required = new Set([...definition.key, ...(definition.notNull ?? []), definition.tenantColumn]);
  const lines = columns.map(
    (column) => `${quoted(column.name)} ${column.type}${required.has(column.name) ? ' not null' : ''}`,
  );
  // No query asks for a document as a whole, and sorting documents is most of what statistics cost.
  const documents = columns
    .filter(({ type }) => type === 'jsonb')
    .map((column) => `alter table ${qualified(name)} alter column ${quoted(column.name)} set statistics 0;`);
  // The setting is an empty string, not null, once a transaction that set it has ended.
  return `
    create table ${qualified(name)} (${lines.join(', ')});
    ${documents.join('\n')}
    alter table ${qualified(name)} enable row level security;
    create policy tenant on ${qualified(name)} for select to holdfast_api
      using (${quoted(definition.tenantColumn)} = nullif(current_setting('hf.tenant', true), '')::uuid);
    grant select on ${qualified(name)} to holdfast_api;
  `;
}

/** Makes the primary key's index. Unlike a constraint, it may be built beside other indexes. */
export function createKeyIndexSql({ definition, name }: Table): string {
  return `create unique index ${quoted(`${name}_pkey`)} on ${qualified(name)} (${quotedList(definition.key)})`;
}

export function adoptKeyIndexSql({ name }: Table): string {
  return `alter table ${qualified(name)} add primary key using index ${quoted(`${name}_pkey`)}`;
}

export function createIndexesSql({ definition, name }: Table): string[] {
  return (definition.indexes ?? []).map((statement) =>
    statement.replaceAll('%t', qualified(name)).replaceAll('%i', name),
  );
}

export function dropTableSql(name: string): string {
  return `drop table if exists ${qualified(name)}`;
}
