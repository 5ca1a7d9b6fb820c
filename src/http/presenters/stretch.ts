import { cursorOf } from '#http/cursor.ts';
import type { Place } from '#queries/token/filter.ts';

/** The envelope of a list that goes on at a cursor. */
export function presentStretch<Item>(
  { items, next }: { items: readonly Item[]; next: Place | undefined },
  present: (item: Item) => object,
): object {
  return {
    pagination: { page_size: items.length, ...(next === undefined ? {} : { next: cursorOf(next) }) },
    data: items.map(present),
  };
}
