import type { Json } from '#ports/json.ts';

/** Shorter ones occur anywhere, and tell nothing. */
const shortest = 3;

/**
 * The texts and numbers that detokenization put into a value: where a text held an expression, all of what it
 * became.
 */
export function injectedTexts(before: Json, after: Json): string[] {
  const found = new Set<string>();
  walk(before, after, found);
  // Longer ones first: a shorter one may be a part of them.
  return [...found].sort((one, other) => other.length - one.length);
}

function walk(before: Json, after: Json, found: Set<string>): void {
  if (typeof before === 'string') {
    if (before.includes('{{')) leaves(after, found);
  } else if (Array.isArray(before)) {
    before.forEach((item, index) => {
      walk(item, (after as Json[])[index] ?? null, found);
    });
  } else if (typeof before === 'object' && before !== null) {
    for (const [name, member] of Object.entries(before)) {
      walk(member, (after as Record<string, Json>)[name] ?? null, found);
    }
  }
}

function leaves(value: Json, found: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    if (text.length >= shortest) found.add(text);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) leaves(member, found);
  }
}
