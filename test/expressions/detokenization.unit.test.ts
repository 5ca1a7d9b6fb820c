import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ExpressionError, parseDetokenization } from '#expressions/index.ts';
import type { TokenLookup } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';

const detokenization = suite('detokenization expressions');

const card = { number: '4242424242424242', expiration_month: 3, expiration_year: 2028, cvc: '123' };
const tokens = new Map<string, Json>([
  ['card', card],
  ['5d6e1a9c-64b2-4c4f-9d43-0b8d3b2c2a11', 'uuid data'],
  ['john doe@example.com', 'mail'],
  ['v1.2:3_x', 42],
  ['nothing', null],
]);

const lookup: TokenLookup = ({ id, wants }): Json => {
  const data = tokens.get(id) ?? null;
  if (wants === 'data') return data;
  if (wants === 'enrichments') return { enrichments: { bin_details: { card_brand: 'VISA' } } };
  return { id, type: 'token', data, metadata: { name: 'n' } };
};

const resolve = (value: Json): Json => parseDetokenization(value).resolve(lookup);

function failure(value: Json): ExpressionError {
  try {
    resolve(value);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  return assert.unreachable('it did not fail') as never;
}

detokenization('given an id of any form, when resolved, then it is taken whole', () => {
  const rows: [string, Json][] = [
    ['{{ card }}', card],
    ['{{card}}', card],
    ['{{ 5d6e1a9c-64b2-4c4f-9d43-0b8d3b2c2a11 }}', 'uuid data'],
    ['{{5d6e1a9c-64b2-4c4f-9d43-0b8d3b2c2a11}}', 'uuid data'],
    ['{{ john doe@example.com }}', 'mail'],
    ['{{ john doe@example.com | upcase }}', 'MAIL'],
    ['{{ john doe@example.com| upcase}}', 'MAIL'],
    ['{{ v1.2:3_x }}', 42],
    ['{{ nothing }}', null],
  ];
  for (const [text, expected] of rows) assert.equal(resolve(text), expected, text);
});

detokenization('given filters, when resolved, then they see the data', () => {
  const rows: [string, Json][] = [
    ["{{ card | json: '$.number' }}", '4242424242424242'],
    ["{{ card | json: '$.expiration_month' }}", 3],
    ["{{ card | json: '$.expiration_month' | pad_left: 2, '0' }}", '03'],
    ["{{ card | json: '$.expiration_year' | to_string | slice: -2, 2 }}", '28'],
    ["{{ card | card_exp: 'MM/YY' }}", '03/28'],
    ["{{ card | json: '$.number' | card_mask: 'true', 'true' }}", '42424242XXXX4242'],
  ];
  for (const [text, expected] of rows) assert.equal(resolve(text), expected, text);
});

detokenization('given the token prefix, when resolved, then filters see the token', () => {
  assert.equal(resolve("{{ token: card | json: '$.data' }}"), card);
  assert.is(resolve("{{ token:card | json: '$.metadata.name' }}"), 'n');
  assert.is(resolve("{{ token : card | json: '$.enrichments.bin_details.card_brand' }}"), 'VISA');
  assert.is(resolve("{{ token: john doe@example.com | json: '$.id' }}"), 'john doe@example.com');
});

detokenization('given text around or several expressions, when resolved, then it is one text', () => {
  assert.is(
    resolve("{{ card | json: '$.expiration_month' }}/{{ card | json: '$.expiration_year' }}"),
    '3/2028',
  );
  assert.is(resolve('data: {{ card }}'), `data: ${JSON.stringify(card)}`);
  assert.is(resolve('({{ nothing }})'), '()');
});

detokenization('given any JSON, when resolved, then only texts with expressions change', () => {
  const value: Json = JSON.parse(
    '{"__proto__": "{{ v1.2:3_x }}", "list": [1, null, true, "plain }} {% x %} {", {"card": "{{ card }}"}]}',
  );
  const resolved = resolve(value);
  assert.is(
    JSON.stringify(resolved),
    `{"__proto__":42,"list":[1,null,true,"plain }} {% x %} {",{"card":${JSON.stringify(card)}}]}`,
  );
  assert.is(Object.getPrototypeOf(resolved), Object.prototype);
  assert.is(resolve(12), 12);
});

detokenization('given references, when parsed, then each is listed once with what it wants', () => {
  const { references } = parseDetokenization({
    a: '{{ card }}',
    b: ["{{ card | json: '$.number' }} {{ token: card | json: '$.id' }}", '{{ other }}', '{{ card }}'],
    c: "{{ token: card | json: '$.enrichments.bin_details' }}",
    d: `{{ token: other | json: '$' | json: "$['enrichments']" }}{{ card | json: '$.enrichments' }}`,
  });
  assert.equal(references, [
    { id: 'card', wants: 'data' },
    { id: 'card', wants: 'token' },
    { id: 'other', wants: 'data' },
    { id: 'card', wants: 'enrichments' },
    { id: 'other', wants: 'token' },
  ]);
  assert.equal(parseDetokenization({ a: 'plain', b: 1 }).references, []);
});

detokenization('given resolved data with braces in it, when resolved, then it is not resolved again', () => {
  const { resolve: once } = parseDetokenization(['{{ a }}', 'x{{ a }}']);
  assert.equal(
    once(() => '{{ card }}'),
    ['{{ card }}', 'x{{ card }}'],
  );
});

detokenization('given a bad expression, when parsed, then the error names its place', () => {
  const rows: [Json, string, string][] = [
    [
      { cards: [{}, { number: 'x {{ card | nope }}' }] },
      'cards[1].number',
      'There is no filter "nope" (at position 12)',
    ],
    [['{{ }}'], '[0]', 'Expected the id of a token (at position 2)'],
    ['{{ card', '', 'Expected "|" or "}}" (at position 7)'],
    ['{{ card }', '', 'Expected "|" or "}}" (at position 8)'],
    ['{{ a{b }}', '', 'Expected "|" or "}}" (at position 4)'],
    [{ a: '{{ card | append: data.x }}' }, 'a', 'append: only literal arguments (at position 10)'],
    [{ a: `{{ ${'x'.repeat(401)} }}` }, 'a', 'Expected the id of a token (at position 2)'],
  ];
  for (const [value, path, message] of rows) {
    const failed = failure(value);
    assert.is(failed.message, message);
    assert.is(failed.path, path);
  }
});

detokenization('given a filter that fails on the data, when resolved, then no data is in the error', () => {
  const failed = failure({ a: { b: "{{ card | json: '$.number' | to_boolean }}" } });
  assert.is(failed.path, 'a.b');
  assert.is(failed.message, 'to_boolean: the value is not true or false (at position 29)');
});

detokenization('given too many expressions or too deep a value, when parsed, then it is refused', () => {
  assert.match(failure(Array.from({ length: 1_001 }, () => '{{ card }}')).message, 'too many');
  const deep = (depth: number): Json => (depth === 0 ? '{{ card }}' : [deep(depth - 1)]);
  assert.match(failure(deep(2_000)).message, 'too deeply');
});

detokenization('given a large token that is used many times, when resolved, then it is refused', () => {
  const { resolve: many } = parseDetokenization(Array.from({ length: 500 }, () => '{{ a }}'));
  const large = { text: 'x'.repeat(100_000) };
  assert.throws(() => many(() => large), 'the result is too large');
  const once = parseDetokenization('{{ a }}').resolve(() => 'x'.repeat(3_000_000));
  assert.is((once as string).length, 3_000_000);
});

detokenization.run();
