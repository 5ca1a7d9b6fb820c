import stringify from 'json-stable-stringify';

/**
 * JSON with sorted names: some receivers sign what they have parsed and written again, by this very library. Names that
 * are numbers are sorted as text, too, which no object of JavaScript could hold.
 */
export const stableJson = (value: object | string | number | boolean | null): string =>
  stringify(value) ?? 'null';
