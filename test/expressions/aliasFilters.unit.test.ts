import { randomInt } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseExpression } from '#expressions/index.ts';
import { failure, render, seededRandom } from '#test/expressions/support/render.ts';

const card = '3622-7206-2716-5567';
const aliases = suite('alias filters');

function passesLuhn(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce(
    (total, digit, index) => total + (index % 2 ? ([0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit] ?? 0) : digit),
    0,
  );
  return sum % 10 === 0;
}

aliases('given alias_card, when applied, then digits change and separators stay', () => {
  const random = seededRandom();
  assert.match(
    render("{{ data | alias_card: 'true', 'true' }}", card, random) as string,
    /^3622-7206-\d{4}-5567$/,
  );
  assert.match(render('{{ data | alias_card: true }}', '378282246310005', random) as string, /^378282\d{9}$/);
  assert.match(
    render('{{ data | alias_card }}', '4242 4242 4242 4242', random) as string,
    /^(\d{4} ){3}\d{4}$/,
  );
  assert.is(render('{{ data | alias_card }}', null, random), null);
});

aliases('given many aliases of a card, when made, then none of them is a card number', () => {
  for (let round = 0; round < 500; round += 1) {
    const alias = render('{{ data | alias_card: true, true }}', '4242424242424242', randomInt) as string;
    assert.match(alias, /^42424242\d{4}4242$/);
    assert.not(passesLuhn(alias), alias);
  }
});

aliases('given a number that would be shown whole, when aliased, then it fails', () => {
  const random = seededRandom();
  failure('{{ data | alias_card: true, true }}', '4242424242', random);
  failure('{{ data | alias_card: true }}', '42424', random);
  failure('{{ data | alias_card }}', '4242x4242', random);
  failure('{{ data | alias_card }}', '', random);
  failure('{{ data | alias_preserve_format: 2, 2 }}', 'abcd', random);
  failure('{{ data | alias_preserve_length: 9 }}', 'abcd', random);
});

aliases('given alias_preserve_format, when applied, then letters and digits keep their kind', () => {
  const random = seededRandom();
  assert.match(
    render('{{ data | alias_preserve_format: 0, 4 }}', '111-22-3333', random) as string,
    /^\d{3}-\d\d-3333$/,
  );
  assert.match(
    render('{{ data | alias_preserve_format }}', 'John.Doe+1@x.io', random) as string,
    /^[a-z]{4}\.[a-z]{3}\+\d@[a-z]\.[a-z]{2}$/,
  );
  assert.match(render('{{ data | alias_preserve_format: 1 }}', 'ÄÖ 1', random) as string, /^Ä[a-z] \d$/);
});

aliases('given alias_preserve_length, when applied, then every hidden character is replaced', () => {
  const random = seededRandom();
  assert.match(render('{{ data | alias_preserve_length }}', 'A b-C!', random) as string, /^[a-z0-9]{6}$/);
  assert.match(
    render('{{ data | alias_preserve_length: 1, 2 }}', 'A b-C!', random) as string,
    /^A[a-z0-9]{3}C!$/,
  );
});

aliases('given an alias within a text, when rendered, then the text stays around it', () => {
  const data = { user: 'john', domain: 'example' };
  const text = '{{ data.user | alias_preserve_format }}@{{ data.domain }}';
  assert.match(render(text, data, seededRandom()) as string, /^[a-z]{4}@example$/);
  assert.ok(parseExpression(text).usesRandom);
  assert.not(parseExpression('{{ data.user }}@{{ data.domain }}').usesRandom);
});

aliases('given no randomness, when an alias is asked for, then it fails', () => {
  assert.is(failure('{{ data | alias_card }}', card).reason, 'alias_card: aliases can be made for ids only');
});

aliases('given a value longer than an id, when aliased, then it fails', () => {
  failure('{{ data | alias_preserve_length }}', 'x'.repeat(401), seededRandom());
});

aliases.run();
