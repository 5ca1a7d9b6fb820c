import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasExpression } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';
import { failure, render } from '#test/expressions/support/render.ts';

const grammar = suite('expression grammar');

const data: Json = {
  number: '4242424242424242',
  month: 12,
  'odd name': 'odd',
  'with-dash': 'dash',
  empty: null,
  flag: false,
  size: 'own',
  tags: ['a', 'b', 'c'],
  address: { city: 'Köln' },
};

grammar('given one expression alone, when rendered, then the JSON type is kept', () => {
  assert.is(render('{{ data.month }}', data), 12);
  assert.is(render('{{data.month}}', data), 12);
  assert.is(render('{{ data.flag }}', data), false);
  assert.equal(render('{{ data.address }}', data), { city: 'Köln' });
  assert.equal(render('{{ data }}', data), data);
  assert.is(render('{{ data.empty }}', data), null);
});

grammar('given text around or several expressions, when rendered, then it is one text', () => {
  assert.is(render(' {{ data.month }}', data), ' 12');
  assert.is(render('{{ data.month }}{{ data.month }}', data), '1212');
  assert.is(render('a {{ data.empty }}{{ data.none }} b', data), 'a  b');
  assert.is(render('{{ data.address }}!', data), '{"city":"Köln"}!');
  assert.is(render('{{ data.tags }};{{ data.flag }}', data), '["a","b","c"];false');
});

grammar('given text without an expression, when rendered, then it is itself', () => {
  for (const text of ['', 'plain', '}} | { data }', '{ { data } }']) {
    assert.not(hasExpression(text));
    assert.is(render(text, data), text);
  }
});

grammar('given paths, when rendered, then members, items and sizes are found', () => {
  assert.is(render('{{ data["odd name"] }}', data), 'odd');
  assert.is(render("{{ data['address'].city }}", data), 'Köln');
  assert.is(render('{{ data.with-dash }}', data), 'dash');
  assert.is(render('{{ data.tags[0] }}', data), 'a');
  assert.is(render('{{ data.tags[-1] }}', data), 'c');
  assert.is(render('{{ data.tags.first }}{{ data.tags.last }}{{ data.tags.size }}', data), 'ac3');
  assert.is(render('{{ data.number.size }}', data), 16);
  assert.is(render('{{ data.size }}', data), 'own');
});

grammar('given paths to nothing, when rendered, then they are null', () => {
  for (const path of [
    'data.none',
    'data.none.deeper',
    'data.tags[9]',
    'data.tags.x',
    'data.month.x',
    'other',
  ]) {
    assert.is(render(`{{ ${path} }}`, data), null, path);
  }
});

grammar('given names of prototypes, when rendered, then they are null', () => {
  const names = ['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'length'];
  for (const name of names) {
    for (const root of ['data', 'data.tags', 'data.number', 'data.month', 'data.address']) {
      assert.is(render(`{{ ${root}.${name} }}`, data), null, `${root}.${name}`);
      assert.is(render(`{{ ${root}["${name}"] }}`, data), null, `${root}[${name}]`);
    }
    assert.is(render(`{{ ${name} }}`, data), null, name);
    assert.match(failure(`{{ data | ${name.replaceAll('_', '')} }}`).message, /filter|Expected/);
  }
});

grammar('given a member that is named like a prototype, when rendered, then it is data', () => {
  const tricky: Json = JSON.parse('{"__proto__": {"city": "here"}, "constructor": "mine"}');
  assert.is(render('{{ data.__proto__.city }}', tricky), 'here');
  assert.is(render('{{ data.constructor }}', tricky), 'mine');
});

grammar('given literals, when rendered, then they are their values', () => {
  assert.is(render('{{ \'it}} "is" | so\' }}', data), 'it}} "is" | so');
  assert.is(render('{{ "line\\n\\u0041\\"" }}', data), 'line\nA"');
  assert.is(render('{{ 12 }}', data), 12);
  assert.is(render('{{ -1.5 }}', data), -1.5);
  assert.is(render('{{ true }}', data), true);
  assert.is(render('{{ nil }}', data), null);
  assert.is(render('{{ data.none | default: data.month }}', data), 12);
});

grammar('given dashes in the braces, when rendered, then blanks around are trimmed', () => {
  assert.is(render('a  {{- data.month -}}  b', data), 'a12b');
  assert.is(render('a  {{ data.month -}}  b', data), 'a  12b');
});

grammar('given something behind value and filters, when parsed, then it is refused with its position', () => {
  const refused: [string, number][] = [
    ['{{ data.number, reveal_last: 4 }}', 14],
    ['{{ data.number reveal_last: 4 }}', 15],
    ['{{ data.number | reveal_last: 4 data.number }}', 32],
    ['{{ data.number | reveal_last: 4, 5: 6 }}', 34],
    ['{{ data.number | reveal_last 4 }}', 29],
    ['{{ data.month == 12 }}', 14],
    ['{{ data.number and data.month }}', 15],
    ['{{ data.number contains "4" }}', 15],
    ['{{ (1..10) }}', 3],
    ['{{ data.tags[data.month] }}', 13],
    ['{{ data.tags[0 }}', 15],
    ['{{ data. }}', 8],
    ['{{ data..number }}', 8],
    ['{{ data | }}', 10],
    ['{{ data || upcase }}', 9],
    ["{{ 'open }}", 3],
    ['{{ data', 7],
    ['{{ data }', 8],
    ['{{ data } }', 8],
    ['{{', 2],
    ['{{}}', 2],
    ['{{ }}', 3],
    ['{{{ data }}}', 2],
    ['ok {{ data }} {{ data, }}', 21],
  ];
  for (const [text, position] of refused) assert.is(failure(text, data).position, position, text);
});

grammar('given a tag anywhere, when parsed, then it is refused', () => {
  for (const text of [
    '{% if data %}',
    '{{ data }}{% assign a = 1 %}',
    '{%',
    "{{ '{% raw %}' }}",
    '{%- liquid',
  ]) {
    assert.is(failure(text, data).reason, 'Only {{ }} is allowed, tags are not', text);
  }
});

grammar('given a filter that is not on the list, when parsed, then it is refused', () => {
  for (const filter of ['inspect', 'raw', 'sha256', 'group_by']) {
    assert.match(failure(`{{ data | ${filter} }}`, data).message, `There is no filter "${filter}"`);
  }
  failure('{{ data | Upcase }}');
  assert.is(failure('{{ data | inspect }}').message, 'There is no filter "inspect" (at position 10)');
});

grammar('given a wrong number of arguments, when parsed, then it is refused', () => {
  const counts: [string, string][] = [
    ['reveal_last', 'reveal_last: takes 1 to 2 arguments'],
    ['upcase: 1', 'upcase: takes no arguments'],
    ['append', 'append: takes 1 argument'],
    ['pad_left: 4', 'pad_left: takes 2 arguments'],
  ];
  for (const [filter, reason] of counts) assert.is(failure(`{{ data | ${filter} }}`).reason, reason);
});

grammar('given a path as an argument, when rendered, then its value is the argument', () => {
  assert.is(render('{{ data.number | reveal_last: data.keep }}', { number: '12345', keep: 2 }), 'XXX45');
  const failed = failure('{{ data.number | reveal_last: data.keep }}', { number: '12345', keep: 'no' });
  assert.is(failed.reason, 'reveal_last: the first argument must be a whole number, 0 or more');
});

grammar('given data that is nested too deeply for a text, when rendered, then it fails', () => {
  let deep: Json = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  assert.is(failure('a {{ data }}', deep).reason, 'the value is too deeply nested');
  failure('{{ data | stringify }}', deep);
});

grammar.run();
