import Type from 'typebox';
import { featureNames } from '#domain/connection/features.ts';

const field = Type.Object({
  key: Type.String(),
  display_name: Type.String(),
  required: Type.Boolean(),
  format: Type.Union([Type.Literal('text'), Type.Literal('multiline'), Type.Literal('number')]),
  secret: Type.Boolean(),
});

/** Source: reference of connection formulas. */
export const ConnectionFormula = Type.Object(
  {
    id: Type.String({ examples: ['stripe-card'] }),
    display_name: Type.String(),
    method: Type.String({ examples: ['card'] }),
    available: Type.Boolean({ description: 'Whether connections can be made of it already.' }),
    fields: Type.Array(field),
    supported_currencies: Type.Array(Type.String()),
    supported_countries: Type.Array(Type.String()),
    supported_features: Type.Object(Object.fromEntries(featureNames.map((name) => [name, Type.Boolean()]))),
  },
  { $id: 'ConnectionFormula' },
);
