import type { Row, Sums } from '#projections/projection.ts';
import { sumOf } from '#projections/engine/changes.ts';
import { copyField } from '#projections/engine/columns.ts';
import type { LineStore } from '#projections/engine/lineStore.ts';
import { createLineStore } from '#projections/engine/lineStore.ts';
import type { PlacedChange } from '#projections/engine/project.ts';
import type { Table, Tables } from '#projections/engine/tables.ts';

/**
 * The rows of tables that began empty, folded in memory. A row is kept as its line of COPY: a fraction of
 * what an object takes, and ready to be sent.
 */
export type FoldedRows = {
  /** @throws UnwritableValue */
  apply(placed: PlacedChange): void;
  /** Whether they take no more than so many bytes, after all that is unused was given back. */
  fitInto(budget: number): boolean;
  piecesOf(table: Table): Generator<Buffer>;
  clear(): void;
};

type Rows = {
  lines: LineStore;
  indexes: ReadonlyMap<string, number>;
  /** Sums become lines when they are complete: each changes with almost every event. */
  sums: Map<string, { key: Row; add: Sums }>;
};

export function createFoldedRows(tables: Tables): FoldedRows {
  const all = new Map<Table, Rows>();
  for (const table of tables.values()) {
    const indexes = new Map(table.columns.map(({ name }, index) => [name, index]));
    all.set(table, { lines: createLineStore(), indexes, sums: new Map() });
  }
  const rowsOf = (table: Table): Rows => {
    const found = all.get(table);
    if (found === undefined) throw new Error(`${table.name} is not among the tables that are filled`);
    return found;
  };
  const bytes = (): number => all.values().reduce((sum, { lines }) => sum + lines.bytes(), 0);
  return {
    apply: ({ table, key, change }) => {
      const { lines, indexes, sums } = rowsOf(table);
      switch (change.op) {
        case 'upsert':
          lines.set(key, lineOf(table, change.row));
          return;
        case 'remove':
          lines.delete(key);
          return;
        case 'patch': {
          const before = lines.get(key);
          if (before !== undefined) lines.set(key, patchedLine(table, indexes, before, change.set));
          return;
        }
        case 'add': {
          const before = sums.get(key);
          const add = before === undefined ? change.add : sumOf(before.add, change.add);
          sums.set(key, { key: change.key, add });
        }
      }
    },
    fitInto: (budget) => {
      if (bytes() <= budget) return true;
      for (const { lines } of all.values()) lines.compact();
      return bytes() <= budget;
    },
    piecesOf: (table) => {
      const { lines, sums } = rowsOf(table);
      for (const [name, { key, add }] of sums) lines.set(name, lineOf(table, { ...key, ...add }));
      return lines.pieces();
    },
    clear: () => {
      for (const { lines, sums } of all.values()) {
        lines.clear();
        sums.clear();
      }
    },
  };
}

function lineOf({ columns }: Table, row: Row): string {
  return columns.map(({ name, type }) => copyField(type, row[name])).join('\t');
}

function patchedLine(table: Table, indexes: Rows['indexes'], line: string, set: Row): string {
  const fields = line.split('\t');
  for (const [name, value] of Object.entries(set)) {
    const index = indexes.get(name) ?? -1;
    const column = table.columns[index];
    if (column === undefined) throw new Error(`${table.name} has no column ${name}`);
    fields[index] = copyField(column.type, value);
  }
  return fields.join('\t');
}
