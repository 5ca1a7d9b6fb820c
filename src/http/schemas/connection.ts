import Type from 'typebox';
import { closed } from '#http/schemas/closed.ts';
import { nullable } from '#http/schemas/nullable.ts';

const id = Type.String({ minLength: 1, maxLength: 50, examples: ['stripe-card'] });
const entry = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 50 }),
    value: Type.String({ maxLength: 10_000 }),
  },
  { additionalProperties: false },
);
const countries = Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
  minItems: 1,
  maxItems: 300,
  description: 'Country codes, ISO 3166-1 alpha-2.',
  examples: [['US', 'DE']],
});
const currencies = Type.Array(Type.String({ pattern: '^[A-Z]{3}$' }), {
  minItems: 1,
  maxItems: 300,
  description: 'Currency codes, ISO 4217.',
  examples: [['USD', 'EUR']],
});

/** spec: Create / Update Connection. Sizes by the reference of connections. */
export const WriteConnection = closed(
  {
    connection_formula_id: id,
    method: Type.String({ minLength: 1, maxLength: 50, examples: ['card'] }),
    display_name: Type.String({ minLength: 1, maxLength: 200 }),
    fields: Type.Array(entry, {
      maxItems: 100,
      description:
        'What the formula asks for. An update keeps what it leaves out, and removes what it gives an empty value.',
    }),
    accepted_countries: countries,
    accepted_currencies: currencies,
    active: Type.Optional(
      Type.Boolean({ description: 'Default: true; of an update: as it is.', examples: [true] }),
    ),
    three_d_secure_enabled: Type.Optional(
      nullable(Type.Boolean({ description: 'Follows from the formula: another value is 400.' })),
    ),
  },
  ['status'],
);

const shown = {
  id: Type.String({ format: 'uuid' }),
  connection_formula_id: Type.String(),
  display_name: Type.String(),
  status: Type.Union([Type.Literal('pending'), Type.Literal('available'), Type.Literal('failed')], {
    description: 'Pending until the provider was asked about the credentials.',
  }),
  accepted_countries: Type.Array(Type.String()),
  accepted_currencies: Type.Array(Type.String()),
  three_d_secure_enabled: Type.Boolean(),
  active: Type.Boolean({ description: 'Whether it may be used for transactions.' }),
};

/** spec: Create Connection, response */
export const CreatedConnection = Type.Object(shown, { $id: 'CreatedConnection' });

/** spec: Connection; fields stay in the vault, secret or not */
export const Connection = Type.Object({ ...shown, method: Type.String() }, { $id: 'Connection' });
