import Type from 'typebox';
import type { TNull, TSchema, TUnion } from 'typebox';

/** Marks what may be left empty; it stands in the OpenAPI document, too. */
export const emptyIsNull = 'x-empty-is-null';
/** The same, but for a list without items, which says that there are to be none. */
export const unwrittenIsNull = 'x-unwritten-is-null';
/** Marks what may be `""` for what is not set; what is empty otherwise, is a value. */
export const blankIsNull = 'x-blank-is-null';

/**
 * Something that a client may leave out by null, `""`, `{}` or `[]`: client libraries and infrastructure tools write
 * these for what nobody set. The body reader makes null of them all before anything is checked.
 */
export const emptyable = <Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> =>
  Type.Union([schema, Type.Null()], { [emptyIsNull]: true });

/** Like {@link emptyable} for lists of rights, of which `[]` takes all away. */
export const unwritten = <Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> =>
  Type.Union([schema, Type.Null()], { [unwrittenIsNull]: true });

/** Like {@link emptyable}, but for null and `""` alone: `{}` and `[]` take away what was there. */
export const blankable = <Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> =>
  Type.Union([schema, Type.Null()], { [blankIsNull]: true });
