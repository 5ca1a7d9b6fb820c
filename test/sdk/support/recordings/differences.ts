import type { Shape } from '#test/sdk/support/recordings/recording.ts';

/**
 * Where a value lacks a member that a client was given, or has another kind of it. Lists are looked at by their first
 * item, and an empty one says nothing of items.
 */
export const differences = (shape: Shape, value: unknown): string[] =>
  Object.entries(shape).flatMap(([path, wanted]) => {
    const found = kindAt(path === '$' ? [] : stepsOf(path), value);
    return found === undefined || found === wanted ? [] : [`${path} is ${found}, not ${wanted}`];
  });

/** `data[].id` is `data`, `[]`, `id`. */
const stepsOf = (path: string): string[] =>
  path.split('.').flatMap((part) => part.split(/(\[\])/).filter((step) => step !== ''));

/** Undefined: there is nothing that could have it. */
function kindAt(steps: readonly string[], value: unknown): string | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return kindOf(value);
  if (step === '[]') return Array.isArray(value) && value.length > 0 ? kindAt(rest, value[0]) : undefined;
  if (value === undefined || value === null) return undefined;
  return kindAt(rest, (value as Record<string, unknown>)[step]);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
