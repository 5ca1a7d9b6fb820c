/**
 * An array as Postgres writes it, of values that need no quotes: numbers, uuids and ISO 8601 times. `pg` would look
 * at every character of every element for something to escape.
 */
export function arrayLiteral(values: readonly (number | bigint | string | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

export const timeLiteral = (time: Date | null): string | null => time?.toISOString() ?? null;
