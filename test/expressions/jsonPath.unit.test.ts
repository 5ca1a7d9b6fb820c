import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json } from '#ports/json.ts';
import { failure, render } from '#test/expressions/support/render.ts';

const jsonPath = suite('json filter');

const library: Json = {
  books: [
    { title: 'Sword of Honour', price: 12.99, lent: true, tags: ['war'] },
    { title: 'Moby Dick', price: 8.99, lent: false, tags: ['sea', 'whale'] },
    { title: 'The Lord of the Rings', price: 22.99, isbn: '0-395-19395-8', tags: [] },
  ],
  owner: { name: 'Ann', "odd'key": 1, 'a.b': 2, none: null },
  limit: 10,
};

const find = (path: string): Json => render(`{{ data | json: data.path }}`, { ...(library as object), path });

jsonPath('given a path to one value, when applied, then its type is kept', () => {
  const rows: [string, Json][] = [
    ['$.owner.name', 'Ann'],
    ['$.owner', { name: 'Ann', "odd'key": 1, 'a.b': 2, none: null }],
    ['$["owner"]["a.b"]', 2],
    ["$['owner']['odd\\'key']", 1],
    ['$.owner.none', null],
    ['$.books[0].price', 12.99],
    ['$.books[-1].title', 'The Lord of the Rings'],
    ['$.books[2:].isbn', '0-395-19395-8'],
    ['$.books[:1].price', 12.99],
    ['$.books[ 1 ] .title', 'Moby Dick'],
    ['$..isbn', '0-395-19395-8'],
    ['$.books[?(@.price < 10)].title', 'Moby Dick'],
    ['$.books[?@.price < $.limit].title', 'Moby Dick'],
    ['$.books[?@.isbn].title', 'The Lord of the Rings'],
    ['$.books[?!@.isbn && @.lent == true].title', 'Sword of Honour'],
    ['$.books[?@.lent == true && @.price > 10 && @.price < 20].title', 'Sword of Honour'],
    ['$.books[?(@.price > 20 || @.price < 5)].title', 'The Lord of the Rings'],
    ['$.books[?length(@.tags) == 2].title', 'Moby Dick'],
    ['$.books[?length(@.title) <= 9].title', 'Moby Dick'],
    ['$.books[?count(@.tags[*]) == 0].title', 'The Lord of the Rings'],
    ['$.books[?value(@..tags[0]) == "sea"].title', 'Moby Dick'],
    ['$.books[?@.tags[1] == "whale"].title', 'Moby Dick'],
    ['$.books[?@.title >= "T"].title', 'The Lord of the Rings'],
    ['$.books[?@.lent == @.missing].title', 'The Lord of the Rings'],
    ['$.books[?@.title != "Moby Dick" && !(@.price < 20)].title', 'The Lord of the Rings'],
  ];
  for (const [path, expected] of rows) assert.equal(find(path), expected, path);
});

jsonPath('given a path to nothing, when applied, then it is null', () => {
  for (const path of [
    '$.none',
    '$.books[9]',
    '$.owner[0]',
    '$.books.title',
    '$.limit.x',
    '$.constructor',
    '$.__proto__',
  ]) {
    assert.is(find(path), null, path);
  }
  assert.is(render("{{ data | json: '$.a' }}", null), null);
  assert.is(render("{{ data | json: '$' }}", 'text'), 'text');
});

jsonPath('given a path to several values, when applied, then it fails', () => {
  for (const path of [
    '$.books[*].title',
    '$..price',
    '$.books[0,1]',
    '$.owner.*',
    '$.books[?@.price > 0].title',
  ]) {
    assert.throws(() => find(path), 'json: the path names several values', path);
  }
});

jsonPath('given slices, when applied, then they follow the standard', () => {
  const rows: [string, Json][] = [
    ['[1:2]', 1],
    ['[-1:]', 4],
    ['[:-4]', 0],
    ['[4:3:-1]', 4],
    ['[::5]', 0],
    ['[::-5]', 4],
    ['[1:1]', null],
    ['[0:1:0]', null],
    ['[9:20]', null],
    ['[-99:1]', 0],
  ];
  for (const [slice, expected] of rows) {
    assert.equal(render(`{{ data | json: '$${slice}' }}`, [0, 1, 2, 3, 4]), expected, slice);
  }
});

jsonPath('given a bad path, when parsed, then the error says where', () => {
  const bad = [
    '',
    'a',
    '$.',
    '$[',
    '$[]',
    '$.books[?]',
    '$.a b',
    '$..',
    '$[?@.a ==]',
    "$['a]",
    '$[?@.a = 1]',
    '$[?1]',
    '$[?@..a == 1]',
    '$[01x]',
    '$.a[ 1 , ]',
    '$.a[?@.b == [1]]',
  ];
  for (const path of bad) {
    assert.match(failure(`{{ data | json: "${path}" }}`, {}).reason, 'in the path', path);
  }
  assert.is(
    failure("{{ data | json: '$.a b' }}", {}).message,
    'json: in the path, at its position 3: Expected ".", "[" or the end (at position 10)',
  );
});

jsonPath('given regular expressions or unknown functions, when parsed, then they are refused', () => {
  for (const call of [
    "match(@.a, 'x')",
    "search(@.a, '(a+)+')",
    'constructor(@)',
    'length(@, @)',
    'count(1)',
  ]) {
    failure(`{{ data | json: "$[?${call} == 1]" }}`, [{ a: 1 }]);
  }
});

jsonPath.run();
