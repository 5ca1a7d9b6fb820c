import fc from 'fast-check';
import { Liquid } from 'liquidjs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { evaluate, parseExpression } from '#expressions/index.ts';
import type { JsonObject } from '#ports/json.ts';
import { checkVectors, failure } from '#test/expressions/support/render.ts';

const standard = suite('standard filters');

standard('given each standard filter, when applied, then it gives what Liquid gives', () => {
  checkVectors([
    ['a', "data | append: 'b'", 'ab'],
    [1, 'data | append: 2', '12'],
    [null, "data | append: 'b'", 'b'],
    ['hELLO wORLD', 'data | capitalize', 'Hello world'],
    [null, "data | default: 'none'", 'none'],
    ['', "data | default: 'none'", 'none'],
    [false, 'data | default: true', true],
    [[], "data | default: 'none'", 'none'],
    [0, "data | default: 'none'", 0],
    [{ a: 1 }, "data | default: 'none'", { a: 1 }],
    ['HeLLo', 'data | downcase', 'hello'],
    ['HeLLo', 'data | upcase', 'HELLO'],
    [['a', 'b'], 'data | first', 'a'],
    [['a', { b: 1 }], 'data | last', { b: 1 }],
    ['abc', 'data | first', 'a'],
    [[1, 2, null], "data | join: '-'", '1-2-'],
    [['a', 'b'], 'data | join', 'a b'],
    ['  a ', 'data | lstrip', 'a '],
    ['  a ', 'data | rstrip', '  a'],
    ['  a ', 'data | strip', 'a'],
    ['b', "data | prepend: 'a'", 'ab'],
    ['123-45-6789', "data | remove: '-'", '123456789'],
    ['123-45-6789', "data | replace: '-', '.'", '123.45.6789'],
    ['123-45-6789', "data | replace: '-'", '123456789'],
    ['abc', 'data | size', 3],
    [[1, 2], 'data | size', 2],
    [null, 'data | size', 0],
    ['John Smith', "data | split: ' '", ['John', 'Smith']],
    ['John Smith', "data | split: ' ' | last", 'Smith'],
    ['a long sentence', 'data | truncate: 9', 'a long...'],
    ['a long sentence', "data | truncate: 6, ''", 'a long'],
    ['short', 'data | truncate', 'short'],
    [4, 'data | plus: 2', 6],
    ['4', 'data | plus: 2', 6],
    [4, 'data | minus: 5', -1],
    [4, 'data | times: 2.5', 10],
    [5, 'data | divided_by: 2', 2.5],
    [1.55, 'data | round', 2],
    [1.234, 'data | round: 2', 1.23],
    [-3, 'data | abs', 3],
    ['-3.5', 'data | abs', 3.5],
    [4, 'data | at_least: 5', 5],
    [4, 'data | at_most: 3', 3],
    [1.2, 'data | ceil', 2],
    [1.8, 'data | floor', 1],
    [7, 'data | modulo: 3', 1],
    ['<a & "b">', 'data | escape', '&lt;a &amp; &#34;b&#34;&gt;'],
    ['1 &lt; 2 & 3', 'data | escape_once', '1 &lt; 2 &amp; 3'],
    ['a b&c=ü', 'data | url_encode', 'a+b%26c%3D%C3%BC'],
    ['a+b%26c', 'data | url_decode', 'a b&c'],
    ['a-b-c', "data | replace_first: '-', '+'", 'a+b-c'],
    ['a-b-c', "data | replace_last: '-', '+'", 'a-b+c'],
    ['a-b-c', "data | remove_first: '-'", 'ab-c'],
    ['a-b-c', "data | remove_last: '-'", 'a-bc'],
    ['one two three', 'data | truncatewords: 2', 'one two...'],
    ['<b>bold</b> text', 'data | strip_html', 'bold text'],
    ['a\nb\r\nc', 'data | strip_newlines', 'abc'],
    ['a\nb', 'data | newline_to_br', 'a<br />\nb'],
    ['hé', 'data | base64_encode', 'aMOp'],
    ['aMOp', 'data | base64_decode', 'hé'],
  ]);
});

const people: JsonObject[] = [
  { name: 'bo', age: 7, vip: true },
  { name: 'Al', age: 10 },
  { name: 'cy', age: 9, vip: false },
];
const named = (...names: string[]) => people.filter(({ name }) => names.includes(String(name)));

standard('given each filter on lists, when applied, then it gives what Liquid gives', () => {
  checkVectors([
    [['a', 'b'], 'data | reverse', ['b', 'a']],
    [[10, 9, 1], 'data | sort', [1, 9, 10]],
    [['b', 'A', null, 'a'], 'data | sort', ['A', 'a', 'b', null]],
    [['b', 'A', 'c'], 'data | sort_natural', ['A', 'b', 'c']],
    [people, "data | sort: 'age' | map: 'name'", ['bo', 'cy', 'Al']],
    [people, "data | sort_natural: 'name' | map: 'name'", ['Al', 'bo', 'cy']],
    [['a', 'b', 'a', 1, 1], 'data | uniq', ['a', 'b', 1]],
    [[1, null, 2], 'data | compact', [1, 2]],
    [people, "data | compact: 'vip' | size", 2],
    [{ a: [1], b: [2, 3] }, 'data.a | concat: data.b', [1, 2, 3]],
    [people, "data | map: 'nothing'", [null, null, null]],
    [people, "data | where: 'vip'", named('bo')],
    [people, "data | where: 'age', 10", named('Al')],
    [people, "data | reject: 'vip'", named('Al', 'cy')],
    [people, "data | find: 'name', 'cy'", people[2] ?? null],
    [people, "data | find: 'name', 'none'", null],
    [people, "data | find_index: 'name', 'cy'", 2],
    [people, "data | has: 'age', 9", true],
    [people, "data | sum: 'age'", 26],
    [[1, '2.5', 'x'], 'data | sum', 3.5],
    [null, "data | map: 'a'", []],
    [people, "data | map: 'constructor' | compact", []],
  ]);
  failure('{{ data | sort }}', [{ a: 1 }]);
  failure('{{ data | uniq }}', [[1]]);
  failure("{{ data | concat: 'x' }}", [1]);
  failure('{{ data | url_decode }}', '%zz');
  failure('{{ data | modulo: 0 }}', 1);
});

standard('given slice, when applied, then it takes characters or items', () => {
  checkVectors([
    ['Skywalker', 'data | slice: 0', 'S'],
    [2028, 'data | slice: -2, 2', '28'],
    ['abc', 'data | slice: 1, 99', 'bc'],
    ['abc', 'data | slice: -9, 2', ''],
    ['a😀b', 'data | slice: 1', '😀'],
    [['a', 'b', 'c'], 'data | slice: 1, 2', ['b', 'c']],
    [null, 'data | slice: 0', null],
  ]);
  failure("{{ data | slice: 'x' }}", 'abc');
  failure('{{ data | slice: 1, -1 }}', 'abc');
  failure('{{ data | slice: 0 }}', { a: 1 });
});

standard('given an object where a text is needed, when applied, then it fails and shows nothing', () => {
  const secret = { number: '4242424242424242', toString: 'x', length: '4242' };
  for (const filter of ['upcase', "append: 'x'", 'size', 'first', 'join', 'plus: 1', 'strip', 'truncate']) {
    assert.is(
      failure(`{{ data | ${filter} }}`, secret).reason,
      `${filter.replace(/:.*/, '')}: cannot be applied to an object or a list`,
    );
  }
  failure('{{ data | join }}', ['a', secret]);
  failure('{{ data | upcase }}', ['a']);
  failure("{{ 'a' | append: data }}", secret);
});

standard('given a calculation without a number as its result, when applied, then it fails', () => {
  assert.is(failure('{{ data | divided_by: 0 }}', 1).reason, 'divided_by: gives no number');
  failure('{{ data | divided_by: 0 }}', 0);
  failure('{{ data | times: 1e300 | times: 1e300 }}', 10);
});

const oracle = new Liquid({ ownPropertyOnly: true, strictFilters: true });
const literal = fc.constantFrom("''", "'-'", "'4'", "'ab'", "' '", '0', '1', '3', '2.5', '-1');
const calls = fc.oneof(
  fc.constantFrom(
    'capitalize',
    'downcase',
    'upcase',
    'lstrip',
    'rstrip',
    'strip',
    'size',
    'round',
    'truncate',
  ),
  fc
    .tuple(fc.constantFrom('append', 'prepend', 'default', 'remove', 'plus', 'minus', 'times'), literal)
    .map(([name, argument]) => `${name}: ${argument}`),
  fc.tuple(literal, literal).map(([first, second]) => `replace: ${first}, ${second}`),
  fc.tuple(literal, literal).map(([first, second]) => `split: ${first} | join: ${second}`),
  fc
    .tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: 0, max: 4 }))
    .map((args) => `slice: ${args.join(', ')}`),
);

standard('given any chain of them on a text or number, when applied, then liquidjs itself agrees', () => {
  const values = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.integer(),
    fc.constantFrom('4242-4242', ' ab ', '', '12.5'),
  );
  fc.assert(
    fc.property(values, fc.array(calls, { minLength: 1, maxLength: 4 }), (value, chain) => {
      const inside = `data.value | ${chain.join(' | ')}`;
      const data = { value };
      const expected: unknown = oracle.evalValueSync(inside, { data });
      const actual = evaluate(parseExpression(`{{ ${inside} }}`), { data });
      assert.equal(actual, expected ?? null);
    }),
    { numRuns: 500 },
  );
});

standard.run();
