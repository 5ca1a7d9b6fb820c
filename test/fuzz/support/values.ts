import fc from 'fast-check';

/** A place in a value where something that the service made is put in before it is sent. */
export type Hole = { hole: string; choice: number; form: 'plain' | 'expression' };

export const isHole = (value: unknown): value is Hole =>
  typeof value === 'object' && value !== null && 'hole' in value && 'choice' in value && 'form' in value;

export const hole = (name: string, form: Hole['form'] = 'plain'): fc.Arbitrary<Hole> =>
  fc.record({ hole: fc.constant(name), choice: fc.nat(1_000), form: fc.constant(form) });

/** The hole for the address of a server that takes what the service sends. */
export const receiver = 'receiver_key';

const cards = ['4242424242424242', '5555555555554444', '42000000000000', '4000000000000002'];

/** Data as the types of tokens want it, and things that only look like it. */
const data = fc.oneof(
  fc.record({
    number: fc.constantFrom(...cards),
    expiration_month: fc.integer({ min: 1, max: 12 }),
    expiration_year: fc.integer({ min: 2030, max: 2040 }),
    cvc: fc.constantFrom('123', '1234', null),
  }),
  fc.constantFrom(...cards, '123-45-6789', '12-3456789', '110000000', '021000021'),
  fc.constant({ routing_number: '021000021', account_number: '00001234567' }),
  fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), fc.string({ maxLength: 40 }), { maxKeys: 4 }),
);

const expressions = [
  '{{ data }}',
  '{{ data.number }}',
  '{{ data | stringify }}',
  '{{ data.number | reveal_last: 4 }}',
  '{{ data | json: "$.number" }}',
  '{{ data.number | last4 | append: "-" | alias_card }}',
  '{{ data | unknown_filter }}',
  '{{ data.number',
  '{% for i in (1..9) %}{{ i }}{% endfor %}',
];

const code = [
  'module.exports = async (req) => ({ raw: req.args });',
  'module.exports = async (req) => ({ tokenize: { type: "token", data: req.args } });',
  'module.exports = async () => { throw new Error("no"); };',
  'module.exports = async (req) => ({ res: { status: 201, body: { ok: true }, headers: {} } });',
  'module.exports = async (req) => { await req.bt.tokens.create({ type: "token", data: 1 }); return {}; };',
  'const { NotFoundError } = require("@basis-theory/basis-theory-reactor-formulas-sdk-js"); module.exports = async () => { throw new NotFoundError(); };',
  'module.exports = ',
];

/**
 * Values that mean something to the service by the name of the member that they stand in. They only lead deeper:
 * what is not here gets a value from its schema.
 */
export function meaningful(name: string): fc.Arbitrary<unknown> | undefined {
  const found = byName.find(([pattern]) => pattern.test(name));
  return found?.[1];
}

const byName: readonly (readonly [RegExp, fc.Arbitrary<unknown>])[] = [
  [/^data$/, data],
  [/^number$/, fc.constantFrom(...cards)],
  [/^(mask|search_indexes|fingerprint_expression|detokenization)$/, fc.constantFrom(...expressions)],
  [/^code$/, fc.constantFrom(...code)],
  [/^currency$/, fc.constantFrom('USD', 'EUR', 'JPY')],
  [/^(country|countries|accepted_countries)$/, fc.constantFrom('US', 'DE')],
  [/^accepted_currencies$/, fc.constantFrom('USD', 'EUR')],
  [/^amount$/, fc.integer({ min: 0, max: 20_000 })],
  [/^intent$/, fc.constantFrom('authorize', 'capture')],
  [/^connection_formula_id$/, fc.constantFrom('sandbox-card', 'stripe-card', 'adyen-card')],
  [/^method$/, fc.constant('card')],
  [/^transform$/, fc.constantFrom('reveal', 'mask', 'redact')],
  [/^containers?$/, fc.constantFrom('/', '/pci/', '/pci/high/', '/general/')],
  [/^expires_at$/, fc.constantFrom('2040-08-26T19:23:57-07:00', '9/27/2040', '2001-01-01T00:00:00Z')],
  [/^permissions$/, fc.constantFrom('token:read', 'token:create', 'token:use', 'application:read')],
  [/^events$/, fc.constantFrom('token.created', 'token.deleted', 'reactor.completed')],
  [/^(from|to|start_date|end_date)$/, fc.constantFrom('2020-01-01T00:00:00Z', '2050-01-01T00:00:00Z')],
  [
    /^query$/,
    fc.constantFrom('data:6789', 'type:card', 'metadata.a:b AND type:token', 'container:/pci/*', '('),
  ],
  [/url$/i, fc.oneof(hole(receiver), fc.constantFrom('https://nowhere.invalid/x', 'http://10.0.0.1/'))],
  [/^email$/, fc.constantFrom('ada@example.com', 'nobody@example.com')],
  [/^(args|body|raw)$/, fc.oneof(hole('token', 'expression'), fc.constant({ a: 1 }), data)],
];

/**
 * Members that only lead somewhere together, where an object may have them all: what a schema cannot say.
 * @param names of the members that it may have
 */
export function meaningfulObject(names: readonly string[]): fc.Arbitrary<object> | undefined {
  const found = together.filter(([needed]) => needed.every((name) => names.includes(name)));
  return found.length === 0 ? undefined : fc.oneof(...found.map(([, arbitrary]) => arbitrary));
}

const card = fc.record({
  number: fc.constantFrom(...cards),
  expiration_month: fc.integer({ min: 1, max: 12 }),
  expiration_year: fc.integer({ min: 2030, max: 2040 }),
});

const together: readonly (readonly [readonly string[], fc.Arbitrary<object>])[] = [
  [['type', 'data'], fc.record({ type: fc.constant('card'), data: card })],
  [['type', 'data'], fc.record({ type: fc.constant('token'), data })],
  [
    ['type', 'data', 'mask', 'search_indexes'],
    fc.record({
      type: fc.constant('token'),
      data: fc.string({ minLength: 5, maxLength: 20 }),
      mask: fc.constantFrom('{{ data | reveal_last: 2 }}', '{{ data }}'),
      search_indexes: fc.constant(['{{ data }}']),
    }),
  ],
  [
    ['connection_formula_id', 'fields'],
    fc.record({
      connection_formula_id: fc.constant('sandbox-card'),
      method: fc.constant('card'),
      fields: fc.constantFrom([{ key: 'merchant_id', value: 'any' }], []),
      accepted_countries: fc.constant(['US']),
      accepted_currencies: fc.constant(['USD']),
      active: fc.constant(true),
    }),
  ],
  [
    ['connection_id', 'amount', 'token', 'currency'],
    fc.record({
      connection_id: hole('connection_id'),
      token: hole('token'),
      amount: fc.integer({ min: 1, max: 20_000 }),
      currency: fc.constant('USD'),
    }),
  ],
  [
    ['name', 'type', 'permissions'],
    fc.record({
      name: fc.constant('made'),
      type: fc.constantFrom('private', 'public', 'management'),
      permissions: fc.constantFrom(['token:create'], []),
    }),
  ],
];

/** Names under which tokens are told apart, which a schema leaves open. */
export const tokenTypes = fc.constantFrom(
  'token',
  'card',
  'bank',
  'card_number',
  'us_bank_account_number',
  'us_bank_routing_number',
  'social_security_number',
  'employer_id_number',
  'private',
  'public',
  'management',
);

/** What parsers, patterns, databases and languages have tripped over. */
export const nasty: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, 0, -0, -1, 1e308, 5e-324, 2 ** 53, 0.1, '', ' ', [], {}],
    ...[
      '\0',
      '\ud800',
      '\u202e',
      '𝒳'.repeat(300),
      'ß'.repeat(401),
      '4242424242424242',
      "'; drop table x; --",
    ],
    ...['{{ data }}', '{{', '%', '..', '../..', '__proto__', 'constructor', 'null', 'NaN', '1e999', '\r\n'],
    ...[{ __proto__: null, constructor: { prototype: {} } }, { ['__proto__']: 1 }, { toString: 1 }, [[[[]]]]],
    ...['x'.repeat(70_000), Array.from({ length: 300 }, () => 'a'), '0001-01-01T00:00:00Z', '+275760-09-13'],
  ),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(Number),
);
