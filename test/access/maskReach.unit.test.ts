import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exposes, mixes, showsMoreThan, tellsPart } from '#access/maskReach.ts';
import { cardTokenType } from '#domain/token/types/card.ts';
import { tokenTokenType } from '#domain/token/types/token.ts';

const reach = suite('what a mask may show');

const more: [string, unknown, unknown, boolean][] = [
  [
    'the same',
    { n: '{{ data.number | reveal_last: 4 }}' },
    { n: '{{ data.number | reveal_last: 4 }}' },
    false,
  ],
  ['no mask before', undefined, '{{ data | reveal_last: 1 }}', true],
  ['no mask after', '{{ data }}', undefined, false],
  ['constants', undefined, { kind: 'card', n: 1, yes: true }, false],
  ['another leaf', { n: '{{ data.number }}' }, { n: '{{ data.number }}', c: '{{ data.cvc }}' }, true],
  ['fewer leaves', { n: '{{ data.number }}', c: '{{ data.cvc }}' }, { c: '{{ data.cvc }}' }, false],
  ['the leaf under another name', { n: '{{ data.a }}' }, { m: ['{{ data.a }}'] }, false],
  ['less of a whole value', '{{ data.a }}', '{{ data.a | slice: 0, 2 }}', false],
  ['a part of a whole value', '{{ data.a }}', '{{ data.a.b }}', false],
  ['the whole of a part', '{{ data.a.b }}', '{{ data.a }}', true],
  ['fewer last characters', '{{ data.a | reveal_last: 4 }}', "{{ data.a | reveal_last: '2', '*' }}", false],
  ['more last characters', '{{ data.a | reveal_last: 4 }}', '{{ data.a | reveal_last: 5 }}', true],
  ['last characters without their count', '{{ data.a | reveal_last: 4 }}', '{{ data.a | last4 }}', false],
  ['the length', '{{ data.a | last4 }}', '{{ data.a | reveal_last: 4 }}', true],
  ['another end', '{{ data.a | reveal_last: 4 }}', '{{ data.a | slice: 0, 4 }}', true],
  ['an argument of a filter', '{{ data.a }}', '{{ data.a | append: data.b }}', true],
  [
    'a count that the data gives',
    '{{ data.a | reveal_last: 4 }}',
    '{{ data.a | reveal_last: data.n }}',
    true,
  ],
  ['text around it', '{{ data.a }}', 'Mr {{ data.a }}', false],
  ['a leaf that is wrong', '{{ data.a | nothing }}', '{{ data.a }}', true],
];
for (const [what, before, after, expected] of more) {
  reach(`given ${what}, then a mask ${expected ? 'may show' : 'shows no'} more than before`, () => {
    assert.is(showsMoreThan(before, after), expected);
  });
}

const card = { number: '4242424242424242', cvc: '123', expiration_month: 1 };
const exposed: [unknown, boolean][] = [
  [cardTokenType.defaultMask, false],
  ['{{ data.number | reveal_last: 4 }}', false],
  ['{{ data.number | reveal_last: 5 }}', true],
  ['{{ data.number | reveal: 8, 4 }}', false],
  ["{{ data.number | reveal: 6, 4, 'X', '0123456789' }}", true],
  ['{{ data.number | card_mask: true, true }}', false],
  ['{{ data.number | card_bin }}{{ data.number | last4 }}', false],
  ["{{ data.number | card_bin: '4' }}", true],
  ['{{ data.number | slice: 0, 8 }}', false],
  ['{{ data.number | slice: 1, 8 }}', true],
  ['{{ data.number | last4 | append: data.number }}', true],
  ["{{ data.number | replace: '0', '1' | reveal_last: 4 }}", true],
  ['{{ data.number }}', true],
  ['{{ data }}', true],
  ['{{ data | json_stringify }}', true],
  ['{{ data.cvc | reveal_last: 1 }}', true],
  ['{{ data.expiration_month }}', false],
  ["{{ 'x' | append: data.cvc }}", true],
];
for (const [mask, expected] of exposed) {
  reach(`given ${JSON.stringify(mask)}, then it ${expected ? 'shows' : 'hides'} secrets of a card`, () => {
    assert.is(exposes(mask, cardTokenType.secretPaths, card), expected);
  });
}

reach('given a card of 15 digits, then its first eight are more than its issuer', () => {
  const short = { number: '378282246310005' };
  assert.is(exposes('{{ data.number | slice: 0, 8 }}', cardTokenType.secretPaths, short), true);
  assert.is(exposes('{{ data.number | slice: 0, 6 }}', cardTokenType.secretPaths, short), false);
});

reach('given a code that is gone, then its mask shows nothing of it', () => {
  assert.is(exposes('{{ data.cvc }}', cardTokenType.secretPaths, { number: '4242424242424242' }), false);
});

const data = { secret: 'x', i: 1, of: { a: 1, b: [1, 2] } };
const mixed: [string, object, boolean][] = [
  ['{{ data.secret | slice: data.i, 1 }}', { i: 2 }, true],
  ['{{ data.secret | slice: data.i, 1 }}', { i: 2, secret: 'y' }, false],
  ['{{ data.secret | slice: data.i, 1 }}', { other: 1 }, false],
  ['{{ data.i }}{{ data.secret | last4 }}', { i: 2 }, false],
  ['{{ data | stringify }}', { i: 2 }, false],
  ['{{ data | stringify | slice: 0, 2 }}', { i: 2 }, true],
  ['{{ data.of | stringify | slice: 0, 2 }}', { of: { a: 2 } }, true],
  ['{{ data.of | stringify | slice: 0, 2 }}', { of: { a: 2, b: [3] } }, false],
  ['{{ data.of.b | first | append: data.secret }}', { of: null }, true],
];
for (const [mask, patch, expected] of mixed) {
  const what = JSON.stringify(patch);
  reach(
    `given ${mask}, when ${what} is written, then others ${expected ? 'may' : 'cannot'} be found out`,
    () => {
      assert.is(mixes(mask, patch as never, data), expected);
    },
  );
}

const parts: [string, boolean][] = [
  ['{{ data.number }}', false],
  ['{{ data.number }}/{{ data.expiration_month }}', false],
  ['{{ data.number | last4 }}', false],
  ['{{ data.number | slice: 7, 2 }}', true],
  ['{{ data | stringify }}', true],
  ['{{ data.cvc | slice: 0, 1 }}', true],
];
for (const [expression, expected] of parts) {
  reach(`given ${expression}, then it tells ${expected ? '' : 'no '}part of a secret`, () => {
    assert.is(tellsPart(expression, cardTokenType.secretPaths, card), expected);
  });
}

reach('given data of any shape, then only all of it counts', () => {
  const of = (mask: string): boolean => exposes(mask, tokenTokenType.secretPaths, { name: 'Ada', id: 'x' });
  assert.equal([of('{{ data.name }}'), of('{{ data }}')], [false, true]);
});

reach.run();
