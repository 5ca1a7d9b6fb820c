import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json } from '#ports/json.ts';
import { checkVectors, failure, render } from '#test/expressions/support/render.ts';

const casts = suite('cast filters');

casts('given stringify, when applied, then it gives compact JSON and leaves texts as they are', () => {
  const book = { title: 'The Lord of the Rings', price: 8.99, tags: ['a', null] };
  for (const filter of ['stringify', 'json_stringify']) {
    checkVectors([
      [book, `data | ${filter}`, '{"title":"The Lord of the Rings","price":8.99,"tags":["a",null]}'],
      ['The Lord of the Rings', `data | ${filter}`, 'The Lord of the Rings'],
      [8.99, `data | ${filter}`, '8.99'],
      [true, `data | ${filter}`, 'true'],
      [[1, 'a'], `data | ${filter}`, '[1,"a"]'],
      [null, `data | ${filter}`, null],
    ]);
  }
});

casts(
  'given data as large as a request, when it becomes JSON, then it does once, and not again and again',
  () => {
    const largest: readonly Json[] = [
      'x'.repeat(1_048_576),
      { text: '€'.repeat(1_048_500) },
      Array.from({ length: 524_000 }, () => 1),
      Array.from({ length: 209_000 }, () => 9e20),
    ];
    for (const data of largest) {
      const text = render('{{ data | stringify }}', data);
      assert.is(text, typeof data === 'string' ? data : JSON.stringify(data));
    }
    const list = { a: [Array.from({ length: 524_000 }, () => 1)] };
    const { message } = failure('{{ data.a | stringify }}{{ data.a | stringify }}', list);
    assert.match(message, 'too much work');
    assert.match(
      failure('{{ data | stringify | upcase }}', 'x'.repeat(100_000)).message,
      'upcase: the value is too large',
    );
    assert.match(failure('{{ data | stringify }}', 'x'.repeat(5_242_881)).message, 'the value is too large');
  },
);

casts('given to_string, when applied, then scalars become their text', () => {
  checkVectors([
    [2028, 'data | to_string', '2028'],
    [true, 'data | to_string', 'true'],
    ['a', 'data | to_string', 'a'],
    [null, 'data | to_string', null],
    [2028, 'data | to_string | slice: -2, 2', '28'],
  ]);
});

casts('given to_number, when applied, then numeric texts become numbers', () => {
  checkVectors([
    ['42', 'data | to_number', 42],
    ['3.14159', 'data | to_number', 3.14159],
    [' -7 ', 'data | to_number', -7],
    [5, 'data | to_number', 5],
    [null, 'data | to_number', null],
  ]);
  for (const data of ['', 'abc', '4x', '0x10', 'Infinity', true]) failure('{{ data | to_number }}', data);
});

casts(
  'given a text with more digits than a number holds, when cast, then it fails rather than change',
  () => {
    failure('{{ data | to_number }}', '6235000000000004123');
  },
);

casts('given to_boolean, when applied, then only true and false are taken', () => {
  checkVectors([
    ['true', 'data | to_boolean', true],
    ['False', 'data | to_boolean', false],
    [true, 'data | to_boolean', true],
    [null, 'data | to_boolean', null],
  ]);
  for (const data of ['yes', '', 1, 0]) failure('{{ data | to_boolean }}', data);
});

casts('given an object or a list, when cast, then it fails and shows nothing', () => {
  for (const filter of ['to_string', 'to_number', 'to_boolean']) {
    const { message } = failure(`{{ data | ${filter} }}`, { number: '4242424242424242' });
    assert.is(message, `${filter}: an object or a list cannot be cast (at position 10)`);
    failure(`{{ data | ${filter} }}`, ['1']);
  }
});

casts.run();
