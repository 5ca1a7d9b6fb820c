import type { Row } from '#projections/projection.ts';
import type { NetChanges } from '#projections/engine/changes.ts';
import { textForm } from '#projections/engine/columns.ts';
import type { Column, Table } from '#projections/engine/tables.ts';
import { columnType, qualified, quoted, quotedList } from '#projections/engine/tables.ts';
import type { Statement } from '#projections/engine/session.ts';
import { prepared } from '#projections/engine/session.ts';

const rowsPerStatement = 2_000;

/** The multi-row statements that bring net changes into a table; their order does not matter. */
export function writesOf(table: Table, changes: NetChanges): Statement[] {
  const upserts: Row[] = [];
  const removals: Row[] = [];
  const additions: Row[] = [];
  const patches = new Map<string, { columns: string[]; rows: Row[] }>();
  for (const change of changes.values()) {
    switch (change.op) {
      case 'upsert':
        upserts.push(change.row);
        break;
      case 'remove':
        removals.push(change.key);
        break;
      case 'add':
        additions.push({ ...change.key, ...change.add });
        break;
      case 'patch': {
        const columns = Object.keys(change.set).sort();
        const name = columns.join();
        const group = patches.get(name) ?? { columns, rows: [] };
        group.rows.push({ ...change.set, ...change.key });
        patches.set(name, group);
      }
    }
  }
  const { key } = table.definition;
  return [
    ...statements(upsertSql(table), table.columns, upserts),
    ...[...patches.values()].flatMap(({ columns, rows }) =>
      columns.length === 0
        ? []
        : statements(patchSql(table, columns), columnsNamed(table, [...key, ...columns]), rows),
    ),
    ...statements(removeSql(table), columnsNamed(table, key), removals),
    ...statements(addSql(table), table.columns, additions),
  ];
}

function statements(text: string, columns: readonly Column[], rows: readonly Row[]): Statement[] {
  const chunks: Statement[] = [];
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const chunk = rows.slice(from, from + rowsPerStatement);
    chunks.push(
      prepared(
        text,
        columns.map(({ name, type }) => chunk.map((row) => textForm(type, row[name]))),
      ),
    );
  }
  return chunks;
}

function columnsNamed({ definition }: Table, names: readonly string[]): Column[] {
  return names.map((name) => ({ name, type: columnType(definition, name) }));
}

function upsertSql(table: Table): string {
  const names = table.columns.map((column) => column.name);
  const others = names.filter((name) => !table.definition.key.includes(name));
  const effect =
    others.length === 0
      ? 'nothing'
      : `update set ${others.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ')}`;
  return `
    insert into ${qualified(table.name)} (${quotedList(names)})
    select ${table.columns.map(fromRow).join(', ')} from ${rowsOf(table.columns)}
    on conflict (${quotedList(table.definition.key)}) do ${effect}`;
}

function addSql(table: Table): string {
  const { key } = table.definition;
  const names = table.columns.map((column) => column.name);
  const sums = names
    .filter((name) => !key.includes(name))
    .map((name) => `${quoted(name)} = t.${quoted(name)} + excluded.${quoted(name)}`);
  return `
    insert into ${qualified(table.name)} as t (${quotedList(names)})
    select ${table.columns.map(fromRow).join(', ')} from ${rowsOf(table.columns)}
    on conflict (${quotedList(key)}) do update set ${sums.join(', ')}`;
}

function patchSql(table: Table, set: readonly string[]): string {
  const columns = columnsNamed(table, [...table.definition.key, ...set]);
  const assignments = columnsNamed(table, set).map((column) => `${quoted(column.name)} = ${fromRow(column)}`);
  return `
    update ${qualified(table.name)} as t set ${assignments.join(', ')}
    from ${rowsOf(columns)} where ${sameKey(table)}`;
}

function removeSql(table: Table): string {
  const columns = columnsNamed(table, table.definition.key);
  return `delete from ${qualified(table.name)} as t using ${rowsOf(columns)} where ${sameKey(table)}`;
}

function sameKey({ definition }: Table): string {
  return definition.key.map((name) => `t.${quoted(name)} = r.${quoted(name)}`).join(' and ');
}

/** A row source of one parameter a column. */
function rowsOf(columns: readonly Column[]): string {
  const parameters = columns.map(({ type }, index) => `$${index + 1}::${elementType(type)}[]`);
  return `unnest(${parameters.join(', ')}) as r(${quotedList(columns.map(({ name }) => name))})`;
}

function fromRow({ name, type }: Column): string {
  return elementType(type) === type ? `r.${quoted(name)}` : `r.${quoted(name)}::${type}`;
}

/** `unnest` takes an array of arrays apart altogether, so these travel as array literals. */
function elementType(type: Column['type']): string {
  return type === 'text[]' ? 'text' : type;
}
