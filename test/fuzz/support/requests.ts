import fc from 'fast-check';
import type { OpenApiDocument, Operation } from '#test/fuzz/support/document.ts';
import { SchemaValues } from '#test/fuzz/support/fromSchema.ts';
import { mutated } from '#test/fuzz/support/mutate.ts';
import { hole, nasty } from '#test/fuzz/support/values.ts';
import type { Hole } from '#test/fuzz/support/values.ts';

/** Who asks: one of the keys that may do this, any of those there are, or none that is good. */
export type KeyChoice = 'fitting' | 'any' | 'learnt' | 'none' | 'garbage';

/** A request whose holes are not filled yet. */
export type Draft = {
  operation: Operation;
  key: KeyChoice;
  choice: number;
  path: Readonly<Record<string, string | Hole>>;
  query: readonly (readonly [string, unknown])[];
  headers: Readonly<Record<string, string>>;
  body: { type: string; value: unknown } | { type: string; text: string } | undefined;
};

const pathText = fc.oneof(
  fc.uuid(),
  fc.stringMatching(/^[A-Za-z0-9 ._@-]{1,30}$/),
  fc.constantFrom(
    '%',
    '%00',
    '..',
    '.',
    '4242424242424242',
    'ü',
    '{{ data }}',
    'x'.repeat(500),
    "'",
    '\ud800',
  ),
);

/** Requests of every documented operation: half of them valid by their schemas, the others nearly so, or wild. */
export function drafts(document: OpenApiDocument, operations: readonly Operation[]): fc.Arbitrary<Draft> {
  const values = new SchemaValues(document);
  const each = operations.map((operation) => {
    const valid = validDraft(values, operation);
    return fc.oneof(
      { arbitrary: valid, weight: 5 },
      { arbitrary: nearlyValid(valid), weight: 4 },
      { arbitrary: wild(valid), weight: 1 },
    );
  });
  // Operations that make things come first and more often: the others need what they make.
  const weighted = each.map((arbitrary, index) => ({
    arbitrary,
    weight: operations[index]?.method === 'POST' ? 2 : 1,
  }));
  return fc.oneof(...weighted);
}

function validDraft(values: SchemaValues, operation: Operation): fc.Arbitrary<Draft> {
  const path = Object.fromEntries(
    operation.pathParameters.map(({ name }) => [
      name,
      fc.oneof({ arbitrary: hole(name), weight: 9 }, { arbitrary: pathText, weight: 1 }),
    ]),
  );
  const query = fc
    .tuple(
      ...operation.query.map((parameter) => maybe(values.of(parameter.schema, parameter.name), parameter)),
    )
    .map((pairs) => pairs.flat());
  const bodies = operation.bodies.map(({ type, schema }) =>
    values.of(schema, '').map((value) => ({ type, value })),
  );
  return fc.record({
    operation: fc.constant(operation),
    key: keyChoice,
    choice: fc.nat(1_000),
    path: fc.record<Record<string, string | Hole>>(path),
    query,
    headers: headersOf(operation),
    body: bodies.length === 0 ? fc.constant(undefined) : fc.oneof(...bodies),
  });
}

const keyChoice = fc.oneof(
  { arbitrary: fc.constant<KeyChoice>('fitting'), weight: 16 },
  { arbitrary: fc.constantFrom<KeyChoice[]>('any', 'any', 'learnt', 'none', 'garbage'), weight: 2 },
);

const maybe = (
  value: fc.Arbitrary<unknown>,
  { name, required = false }: { name: string; required?: boolean },
): fc.Arbitrary<(readonly [string, unknown])[]> => {
  const given = value.map((one): (readonly [string, unknown])[] => [[name, one]]);
  const left = fc.constant<(readonly [string, unknown])[]>([]);
  return required ? given : fc.oneof({ arbitrary: left, weight: 4 }, { arbitrary: given, weight: 1 });
};

const printable = fc.stringMatching(/^[\x21-\x7e]{1,40}$/);

function headersOf(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const trace = fc.oneof(fc.uuid(), printable, fc.constant('x'.repeat(300)));
  // Few keys, so that some requests come twice.
  const idempotency = fc.oneof(
    fc.constantFrom('a', 'b', 'c').map((name) => `${operation.name.replaceAll(/[^a-zA-Z]/g, '-')}-${name}`),
    printable,
    fc.constant('y'.repeat(401)),
  );
  const known: Record<string, fc.Arbitrary<string>> = {
    'BT-TRACE-ID': trace,
    'BT-IDEMPOTENCY-KEY': idempotency,
  };
  const given = Object.fromEntries(
    operation.headers.map(({ name }) => [name, fc.option(known[name] ?? printable, { nil: '', freq: 1 })]),
  );
  return fc
    .tuple(fc.nat(3), fc.record(given))
    .map(([some, headers]) =>
      some > 0 ? {} : Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
    );
}

/** One or two things are not as they should be. */
function nearlyValid(valid: fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
  return fc.tuple(valid, fc.nat(5), fc.nat(), nasty, pathText).map(([draft, what, where, value, text]) => {
    const { body } = draft;
    if (body !== undefined && 'value' in body && what > 1) {
      return { ...draft, body: { type: body.type, value: mutated(body.value, where, value) } };
    }
    const names = Object.keys(draft.path);
    const name = names[where % names.length];
    if (what === 0 && name !== undefined) return { ...draft, path: { ...draft.path, [name]: text } };
    const documented = draft.operation.query.map((parameter) => parameter.name);
    const parameter = documented[where % documented.length] ?? text;
    return { ...draft, query: [...draft.query, [parameter, value] as const] };
  });
}

const contentTypes = [
  'application/json',
  'application/merge-patch+json',
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/json, application/json',
  ';',
  '',
];

const wildText = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '{"a":1,}',
    '{"data":1e999}',
    '\ufeff{}',
    '{"a":1,"a":2}',
    '"\\ud800"',
  ),
  fc.constant('['.repeat(20_000)),
  fc.constant(`{"data":"${'z'.repeat(1_200_000)}"}`),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json(),
);

/** Bodies that may be nothing, under any name, by any key. */
function wild(valid: fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
  const any = fc.constantFrom<KeyChoice[]>('fitting', 'fitting', 'any');
  return fc
    .tuple(valid, wildText, fc.constantFrom(...contentTypes), any)
    .map(([draft, text, type, key]) => ({ ...draft, key, body: { type, text } }));
}
