import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyMask, ExpressionError, parseDetokenization, renderText } from '#expressions/index.ts';
import { jsonSize } from '#expressions/json.ts';
import { filterTable } from '#expressions/filters/table.ts';
import { Work } from '#expressions/run.ts';
import { limits } from '#expressions/limits.ts';
import type { Json } from '#ports/json.ts';

const hostile = suite('hostile expressions');

/** Generous: a busy machine, and code that is not yet optimized. What it takes otherwise is near 2 ms. */
const mostMilliseconds = 100;

const repeat = (text: string, count: number): string => text.repeat(count);
const letters = repeat('aB3-', 16_384);
const emoji = repeat('😀é', 21_845);
const record = Object.fromEntries(
  Array.from({ length: 1_500 }, (_, index) => [`key${String(index)}`, { v: index }]),
);
const data: Json = {
  letters,
  emoji,
  record,
  list: Array.from({ length: 8_000 }, (_, index) => `x${String(index)}`),
  deep: JSON.parse(`${repeat('{"a":', 60)}1${repeat('}', 60)}`) as Json,
  quotes: repeat('"', 300_000),
  nest: JSON.parse(`${repeat('{"a":', 40)}[${repeat('12,', 400_000)}1]${repeat('}', 40)}`) as Json,
  secret: '4242424242424242',
  tags: repeat('<', 65_536),
  scripts: repeat('<script', 9_362),
  comments: repeat('<!--', 16_384),
  blanks: repeat(' ', 65_536),
  amps: repeat('&', 13_000),
};

function outcome(work: () => Json | undefined): Json | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

/** Of the processor, in the quickest of a few tries: only the code counts, not the machine's other work. */
function milliseconds(work: () => unknown): number {
  const tries = Array.from({ length: 4 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...tries);
}

const attacks: Readonly<Record<string, string>> = {
  'long chain on a long text': `{{ data.letters ${repeat('| upcase | downcase ', 10)}}}`,
  'slices of characters': `{{ data.emoji ${repeat('| slice: 0, 60000 ', 20)}}}`,
  'masks of characters': `{{ data.emoji ${repeat("| reveal: 1, 1, 'X', '-' ", 20)}}}`,
  'card masks of characters': `{{ data.emoji ${repeat("| card_mask: true, true, 'X', '-' ", 20)}}}`,
  'growing by replacement': `{{ data.letters ${repeat("| replace: '', 'xxxxxxxx' ", 10)}}}`,
  'doubling by append': `{{ 'x' ${repeat('| append: data.letters ', 20)}}}`,
  'sorts of a long list': `{{ data.list ${repeat('| sort_natural | reverse ', 10)}| size }}`,
  'lists that grow': `{{ data.list ${repeat('| concat: data.list ', 20)}| size }}`,
  'tags that never end': `{{ data.tags ${repeat('| strip_html ', 20)}}}`,
  'scripts that never end': `{{ data.scripts ${repeat('| strip_html ', 20)}}}`,
  'comments that never end': `{{ data.comments ${repeat('| strip_html ', 20)}}}`,
  'blanks and words': `{{ data.blanks ${repeat('| truncatewords: 9999 ', 20)}}}`,
  'escapes that grow': `{{ data.amps ${repeat('| escape ', 20)}}}`,
  'URLs that grow': `{{ data.emoji ${repeat('| url_encode ', 20)}}}`,
  'base64 that grows': `{{ data.letters ${repeat('| base64_encode ', 20)}}}`,
  'splits and joins': `{{ data.letters ${repeat("| split: '' | join: '' ", 10)}}}`,
  'join with a long separator': '{{ data.list | join: data.letters }}',
  padding: `{{ 'x' ${repeat("| pad_left: 65000, '0' | slice: 0 ", 10)}}}`,
  'long list of characters to strip': `{{ data.letters ${repeat('| strip: data.emoji ', 20)}}}`,
  'quotes never closed': `{{ '${repeat('\\', 4_000)}`,
  'braces never closed': repeat('{{', 2_000),
  'a path without end': `{{ data${repeat('.a', 1_900)} }}`,
  'ten thousand filters': `{{ data${repeat(' | upcase', 10_000)} }}`,
  'twenty-one filters': `{{ data.secret${repeat(' | upcase', 21)} }}`,
  'a megabyte': `{{ data }}${repeat('x', 1_000_000)}`,
  'a number without end': `{{ ${repeat('9', 4_000)} }}`,
  'many large outputs': repeat('{{ data.letters }}', 200),
  'many large objects': repeat('{{ data.record }}', 200),
  'date widths': "{{ '2030-01-01' | date: '%99999999999d' }}",
  'descending again and again': `{{ data | json: '$${repeat('..*', 100)}' }}`,
  'filters in filters': `{{ data | json: '$..[?@..[?@..[?@..a]]]' }}`,
  'nested function calls': `{{ data | json: '$[?${repeat('length(', 40)}' }}`,
  'nested parentheses': `{{ data | json: '$[?${repeat('(', 100)}' }}`,
  'comparing everything with everything': "{{ data.record | json: '$[?@ == $ || $ == @ || @ != $]' }}",
  'comparing long texts': "{{ data | json: '$..[?@ <= $.letters && @ >= $.letters]' }}",
  alternatives: `{{ data.list | json: '$[?${repeat('@<0||', 70)}@<0]' }}`,
  'a regular expression': '{{ data | json: "$[?match(@, \'(a+)+$\')]" }}',
  'a format that can be read in many ways': `{{ data.card | card_exp: '${repeat('Y', 3_000)}a' }}`,
  'aliases of a long text': '{{ data.letters | alias_preserve_length }}',
};

for (const [name, text] of Object.entries(attacks)) {
  hostile(`given ${name}, when rendered, then time and result stay small`, () => {
    const attack = () => outcome(() => renderText(text, { data }, { random: () => 1 }));
    const result = attack();
    assert.ok(typeof result !== 'string' || result.length <= limits.joinedLength, 'the result is large');
    const took = milliseconds(attack);
    assert.ok(took < mostMilliseconds, `${took.toFixed(1)} ms`);
  });
}

hostile('given hostile masks, when applied, then time and result stay small', () => {
  const masks: Readonly<Record<string, Json>> = {
    failing: Array.from({ length: 500 }, () => '{{ data.secret | to_boolean }}'),
    bad: Array.from({ length: 500 }, (_, index) => `{{ data.secret, ${String(index)} }}`),
    masking: Array.from({ length: 500 }, () => '{{ data.emoji | reveal: 1 }}'),
    repeating: Array.from({ length: 500 }, () => '{{ data.record }}'),
    different: Array.from({ length: 500 }, (_, index) => `{{ data.secret | slice: ${String(index)} }}`),
    escaped: Array.from({ length: 500 }, () => '{{ data.quotes }}'),
    nested: Array.from({ length: 400 }, (_, index) => `{{ data.nest${'.a'.repeat(index % 30)} }}`),
    huge: Array.from({ length: 50_000 }, () => '{{ data }}'),
  };
  for (const [name, mask] of Object.entries(masks)) {
    const took = milliseconds(() => applyMask(mask, data));
    assert.ok(took < mostMilliseconds, `${name}: ${took.toFixed(1)} ms`);
    const shown = JSON.stringify(applyMask(mask, data) ?? null).length;
    assert.ok(shown <= limits.maskedLength + limits.maskLength, `${name} shows ${String(shown)} characters`);
  }
});

hostile('given the budget, when it is spent, then nothing more is done', () => {
  const work = new Work();
  work.spend(limits.work - 1);
  assert.not(work.exhausted);
  assert.throws(() => work.spend(1), 'too much work');
  assert.ok(work.exhausted);
});

hostile(
  'given any JSON, when it is measured, then it is as long as its text, or longer than the limit',
  () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(40), (value, limit) => {
        const { length } = JSON.stringify(value);
        assert.is(jsonSize(value as Json, Infinity), length);
        assert.is(jsonSize(value as Json, limit) > limit, length > limit);
      }),
      { numRuns: 2_000 },
    );
  },
);

const names = fc.constantFrom(...filterTable.keys());
const operand = fc.oneof(
  fc.constantFrom(
    'data',
    'data.secret',
    'data.record',
    'data.list',
    'data.short',
    'data.none',
    'nil',
    'true',
  ),
  fc.integer({ min: -100, max: 70_000 }).map(String),
  fc.constantFrom("''", "'-'", "'X'", "'MM/YY'", "'%Y-%m'", "'$.v'", "'$..*'", "'$[?@.v==1]'", '"😀"'),
);
const call = fc
  .tuple(names, fc.array(operand, { maxLength: 3 }))
  .map(([name, args]) => (args.length === 0 ? name : `${name}: ${args.join(', ')}`));
const expression = fc
  .tuple(operand, fc.array(call, { maxLength: 8 }))
  .map(([value, calls]) => `{{ ${[value, ...calls].join(' | ')} }}`);
const noise = fc.string({
  unit: fc.constantFrom(
    '{{',
    '}}',
    '{%',
    '|',
    ':',
    ',',
    '.',
    '[',
    ']',
    "'",
    '"',
    ' ',
    '-',
    'data',
    'upcase',
    '4',
    '\\',
    '(',
    '😀',
    '\ud800',
  ),
  maxLength: 60,
});
const small: Json = {
  secret: '4242424242424242',
  record: { v: 1, t: 'x' },
  list: ['a', 1, null],
  short: 'a-1',
};

hostile(
  'given any expression of known parts, when rendered, then it gives JSON or an ExpressionError',
  () => {
    fc.assert(
      fc.property(expression, (text) => {
        const result = outcome(() => renderText(text, { data: small }, { random: () => 1 }));
        assert.equal(JSON.parse(JSON.stringify(result)), result);
      }),
      { numRuns: 3_000 },
    );
  },
);

hostile(
  'given noise, when rendered, masked or detokenized, then it gives a value or an ExpressionError',
  () => {
    fc.assert(
      fc.property(noise, (text) => {
        outcome(() => renderText(text, { data: small }));
        outcome(() => parseDetokenization([text]).resolve(() => small));
        applyMask({ a: text }, small);
      }),
      { numRuns: 3_000 },
    );
  },
);

hostile(
  'given an expression that does not name the secret, when it fails, then the error is without it',
  () => {
    fc.assert(
      fc.property(call, (filter) => {
        const result = outcome(() =>
          renderText(`{{ data.secret | ${filter} | to_boolean }}`, { data: small }),
        );
        assert.not(String(result).includes('424242'), `${filter}: ${String(result)}`);
      }),
      { numRuns: 1_000 },
    );
  },
);

hostile.run();
