import { textOf } from '#expressions/json.ts';
import type { Json } from '#ports/json.ts';

/** A parameter or header. Names may come more than once. */
export type Named = { name: string; value: string };

const mayHoldExpression = (text: string): boolean => text.includes('{{');

/** Those that may hold expressions, each under a name of its own, by which faults are told. */
export function textsIn(all: readonly Named[]): Record<string, string> {
  const keys = keysOf(all);
  return Object.fromEntries(
    all.flatMap(({ value }, index) => (mayHoldExpression(value) ? [[keys[index] ?? '', value]] : [])),
  );
}

/** The values of all, with those that were found under {@link textsIn}'s names in their places. */
export function valuesWith(all: readonly Named[], found: Readonly<Record<string, Json>>): string[] {
  const keys = keysOf(all);
  return all.map(({ value }, index) => {
    const key = keys[index] ?? '';
    return Object.hasOwn(found, key) ? textOf(found[key] ?? null) : value;
  });
}

function keysOf(all: readonly Named[]): string[] {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return all.map(({ name }) => {
    let count = counts.get(name) ?? 0;
    let key = count === 0 ? name : `${name}[${count}]`;
    while (used.has(key)) key = `${name}[${++count}]`;
    counts.set(name, count + 1);
    used.add(key);
    return key;
  });
}
