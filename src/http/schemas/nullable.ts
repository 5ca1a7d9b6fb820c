import Type from 'typebox';
import type { TNull, TSchema, TUnion } from 'typebox';

/** Clients send null for what they do not set. */
export const nullable = <Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> =>
  Type.Union([schema, Type.Null()]);
