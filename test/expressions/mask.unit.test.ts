import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyMask, maskFault, maskMayUse } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';

const masks = suite('masks');

const card: Json = {
  number: '4242424242424242',
  expiration_month: 12,
  expiration_year: 2030,
  cvc: '123',
  holder: { first: 'Luke', last: 'Skywalker', middle: null },
};
const cardMask: Json = {
  number: '{{ data.number | reveal_last: 4 }}',
  expiration_month: '{{ data.expiration_month }}',
  expiration_year: '{{ data.expiration_year }}',
};

masks('given the default card mask, when applied, then types are kept and the rest is hidden', () => {
  assert.equal(applyMask(cardMask, card), {
    number: 'XXXXXXXXXXXX4242',
    expiration_month: 12,
    expiration_year: 2030,
  });
});

masks('given the default bank mask, when applied, then the account number is masked', () => {
  const mask = {
    routing_number: '{{ data.routing_number }}',
    account_number: '{{ data.account_number | reveal_last: 4 }}',
  };
  const bank = { routing_number: '021000021', account_number: '1234567890' };
  assert.equal(applyMask(mask, bank), { routing_number: '021000021', account_number: 'XXXXXX7890' });
});

masks('given a mask that is a text, when applied, then its value is shown', () => {
  assert.is(applyMask('{{ data | reveal_last: 4 }}', '123-45-6789'), 'XXX-XX-6789');
  assert.is(applyMask('hidden', card), 'hidden');
  assert.is(applyMask('{{ data.holder.last | slice: 0 }}.', card), 'S.');
});

masks('given nested objects, lists and other values, when applied, then the structure is kept', () => {
  const mask: Json = {
    people: [{ name: '{{ data.holder.first }}', known: true, rank: 1 }, 'text'],
    empty: {},
    list: ['{{ data.holder.middle }}', '{{ data.holder.first, upcase }}', '{{ data.holder.last }}'],
  };
  assert.equal(applyMask(mask, card), {
    people: [{ name: 'Luke', known: true, rank: 1 }, 'text'],
    empty: {},
    list: [null, null, 'Skywalker'],
  });
});

masks('given members without a value, when applied, then they are left out', () => {
  const bare: Json = { number: '4242424242424242', holder: { middle: null } };
  const mask = {
    cvc: '{{ data.cvc }}',
    middle: '{{ data.holder.middle }}',
    nothing: null,
    ok: '{{ data.number | last4 }}',
  };
  assert.equal(applyMask(mask, bare), { ok: '4242' });
});

masks('given bad expressions, when applied, then their leaves are left out and nothing leaks', () => {
  const bad = [
    '{{ data.number, reveal_last: 4 }}',
    '{{ data.number reveal_last: 4 }}',
    '{{ data.number | reveal_last }}',
    '{{ data.number | reveal_lst: 4 }}',
    '{{ data.number | reveal_last: 4',
    '{% if true %}{{ data.number }}{% endif %}',
    '{{ data.number | to_boolean }}',
    '{{ data.number | alias_card }}',
    "{{ data.number | date: '%Y' }}",
    '{{ data | upcase }}',
    '{{ data.number == "4242" }}',
  ];
  for (const text of bad) {
    assert.is(applyMask(text, card), undefined, text);
    assert.equal(applyMask({ a: text, b: [text], c: 1 }, card), { b: [null], c: 1 }, text);
    assert.is(maskFault({ a: text }), undefined, text);
  }
});

masks('given keys that are names of prototypes, when applied, then they are data', () => {
  const mask: Json = JSON.parse('{"__proto__": {"a": "{{ data.cvc }}"}, "constructor": "{{ data.cvc }}"}');
  const masked = applyMask(mask, card);
  assert.is(JSON.stringify(masked), '{"__proto__":{"a":"123"},"constructor":"123"}');
  assert.is(Object.getPrototypeOf(masked), Object.prototype);
  assert.is(Reflect.get({}, 'a'), undefined);
});

masks('given a null mask, when applied, then nothing is shown', () => {
  assert.is(applyMask(null, card), undefined);
});

masks('given a mask, when asked what it may use, then whole data and filter arguments count', () => {
  assert.not(maskMayUse(cardMask, 'cvc'));
  assert.ok(maskMayUse(cardMask, 'number'));
  assert.not(maskMayUse('text', 'cvc'));
  const readers = [
    '{{ data.cvc }}',
    "{{ data['cvc'] | reveal_last: 1 }}",
    '{{ data }}',
    '{{ data | stringify }}',
    "{{ data | json: '$.number' }}",
    '{{ data.number | append: data.cvc }}',
    '{{ data.cvc.size }}',
  ];
  for (const text of readers) assert.ok(maskMayUse({ a: ['x', { b: text }] }, 'cvc'), text);
});

masks('given a mask that is too large, when judged and applied, then it is refused and shows nothing', () => {
  const deep = (depth: number): Json => (depth === 0 ? '{{ data.cvc }}' : [deep(depth - 1)]);
  const many = Array.from({ length: 501 }, (_, index) => `{{ data.x${String(index)} }}`);
  const rows: [Json, string][] = [
    ['x'.repeat(1_000_000), 'must be at most 32,768 characters long, written as JSON'],
    [
      Array.from({ length: 20_000 }, () => '{{ data.cvc }}'),
      'must be at most 32,768 characters long, written as JSON',
    ],
    [deep(33), 'must be nested to a depth of at most 32 levels'],
    [deep(5_000), 'must be nested to a depth of at most 32 levels'],
  ];
  for (const [mask, fault] of rows) {
    assert.is(maskFault(mask), fault);
    assert.is(applyMask(mask, card), undefined);
  }
  assert.is(maskFault(deep(32)), undefined);
  assert.equal(applyMask(deep(1), card), ['123']);
  assert.is(JSON.stringify(applyMask(deep(32), card)), `${'['.repeat(32)}"123"${']'.repeat(32)}`);
  assert.is(maskFault(many), 'must hold at most 500 expressions');
  assert.is(maskFault('x'.repeat(32_766)), undefined);
  const shown = applyMask([...many.slice(0, 500), '{{ data.cvc }}'], card);
  assert.not.match(JSON.stringify(shown), '123');
});

masks(
  'given leaves that do not fit any more, when applied, then they are left out, and smaller ones are not',
  () => {
    const data = { half: 'x'.repeat(600_000), list: ['"'.repeat(400_000)], small: 'seen' };
    const mask = {
      a: '{{ data.half }}',
      b: '{{ data.half }}',
      c: '{{ data.list }}',
      d: ['{{ data.small }}'],
    };
    assert.equal(applyMask(mask, data), { a: data.half, d: ['seen'] });
  },
);

masks('given the same mask and other data, when applied again, then nothing is remembered', () => {
  assert.equal(applyMask({ n: '{{ data.n }}' }, { n: 'first' }), { n: 'first' });
  assert.equal(applyMask({ n: '{{ data.n }}' }, { n: 'second' }), { n: 'second' });
  assert.equal(applyMask({ n: '{{ data.n }}' }, {}), {});
});

masks.run();
