import type { Row, RowChange, Sums } from '#projections/projection.ts';

/** What several changes of one row come to. */
export type NetChange =
  | { op: 'upsert'; row: Row }
  | { op: 'patch'; key: Row; set: Row }
  | { op: 'remove'; key: Row }
  | { op: 'add'; key: Row; add: Sums };

/** Net changes of one table by the row's key: no row is in it twice. */
export type NetChanges = Map<string, NetChange>;

/** Adds a change of the row with this key to the changes so far. */
export function foldChange(changes: NetChanges, key: string, change: RowChange): void {
  switch (change.op) {
    case 'upsert':
      changes.set(key, { op: 'upsert', row: change.row });
      return;
    case 'remove':
      changes.set(key, { op: 'remove', key: change.key });
      return;
    case 'patch':
      changes.set(key, patched(changes.get(key), change.key, change.set));
      return;
    case 'add':
      changes.set(key, added(changes.get(key), change.key, change.add));
  }
}

function added(before: NetChange | undefined, key: Row, add: Sums): NetChange {
  if (before === undefined) return { op: 'add', key, add };
  if (before.op !== 'add') throw new Error('a row that is set cannot be added to');
  return { op: 'add', key, add: sumOf(before.add, add) };
}

/** Column by column. */
export function sumOf(one: Sums, other: Sums): Sums {
  const sums: Record<string, number> = { ...one };
  for (const [column, number] of Object.entries(other)) sums[column] = (sums[column] ?? 0) + number;
  return sums;
}

/** A patch on top of what is there. A row that was removed stays so. */
function patched(before: NetChange | undefined, key: Row, set: Row): NetChange {
  if (before === undefined) return { op: 'patch', key, set };
  switch (before.op) {
    case 'upsert':
      return { op: 'upsert', row: { ...before.row, ...set } };
    case 'patch':
      return { op: 'patch', key, set: { ...before.set, ...set } };
    case 'remove':
      return before;
    case 'add':
      throw new Error('a sum cannot be set');
  }
}
