import Type from 'typebox';
import type { TObject, TProperties } from 'typebox';

/** Members of answers, which a client may send back with what it read; they change nothing. */
const sentBack = ['id', 'tenant_id', 'created_by', 'created_at', 'modified_by', 'modified_at'];

/**
 * An object that refuses members it does not know: one that was misspelt would otherwise be overlooked, and with it
 * what it was to protect.
 * @param overlooked members of answers that a client may send back, beside those that all answers have
 */
export function closed<Properties extends TProperties>(
  properties: Properties,
  overlooked: readonly string[] = [],
): TObject<Properties> {
  const any = Type.Optional(Type.Unknown({ description: 'Overlooked.' }));
  const others = [...sentBack, ...overlooked].filter((name) => !(name in properties));
  return Type.Object(
    { ...properties, ...Object.fromEntries(others.map((name) => [name, any])) },
    { additionalProperties: false },
  ) as unknown as TObject<Properties>;
}
