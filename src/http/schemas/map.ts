import Type from 'typebox';
import type { Static, TSchema, TUnsafe } from 'typebox';

/**
 * An object with any names and values of one schema. (A record by pattern would not look at names that hold a
 * line break.)
 */
export const mapOf = <Value extends TSchema>(
  value: Value,
  options: object = {},
): TUnsafe<Record<string, Static<Value>>> =>
  Type.Unsafe<Record<string, Static<Value>>>({ ...options, type: 'object', additionalProperties: value });
