import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { redact, redacted } from '#src/reactors/redaction/redact.ts';
import { indexText } from '#src/reactors/redaction/textIndex.ts';

const redaction = suite('redaction of logs');

const shownOf = (texts: readonly string[], injected: readonly string[], configuration = {}): string[] =>
  redact(
    texts.map((text) => ({ level: 'info', text })),
    { injected, configuration },
  ).map(({ text }) => text);
const shown = (text: string, injected: readonly string[] = [], configuration = {}): string =>
  shownOf([text], injected, configuration)[0] ?? '';

const secret = fc.oneof(fc.string({ minLength: 3, maxLength: 12 }), fc.stringMatching(/^[ab"\\ ]{3,8}$/));

redaction(
  'given any secrets anywhere in lines, when they are redacted, then none is left, and nothing else is gone',
  () => {
    const piece = (secrets: readonly string[]) => fc.oneof(fc.string(), fc.constantFrom(...secrets));
    const cases = fc.array(secret, { minLength: 1, maxLength: 5 }).chain((secrets) =>
      fc.tuple(
        fc.constant(secrets),
        fc.array(
          fc.array(piece(secrets)).map((pieces) => pieces.join('')),
          { maxLength: 5 },
        ),
      ),
    );
    fc.assert(
      fc.property(cases, ([secrets, lines]) => {
        const results = shownOf(lines, secrets);
        assert.is(results.length, lines.length);
        for (const [index, result] of results.entries()) {
          let rest = lines[index] ?? '';
          for (const part of result.split(redacted)) {
            for (const one of secrets) assert.not.ok(part.includes(one), `${one} in ${part}`);
            const place = rest.indexOf(part);
            assert.ok(place >= 0, `${part} was made up`);
            rest = rest.slice(place + part.length);
          }
          if (
            !secrets.some((one) => lines.join('\n').includes(one)) &&
            !/\d{13}|\\|%|\+/.test(lines[index] ?? '')
          ) {
            assert.ok(result === lines[index] || result.includes(redacted));
          }
        }
      }),
      { numRuns: 1_000 },
    );
  },
);

redaction('given any text and parts, when they are looked up, then as a search finds them', () => {
  const text = fc.stringMatching(/^[ab]{0,40}$/);
  fc.assert(
    fc.property(text, fc.array(fc.stringMatching(/^[ab]{1,10}$/)), (whole, parts) => {
      const expected = Array.from({ length: whole.length }, (_, index) =>
        Math.max(0, ...parts.filter((part) => whole.startsWith(part, index)).map((part) => part.length)),
      );
      assert.equal([...indexText(whole).longestAt(parts)], expected);
    }),
    { numRuns: 2_000 },
  );
});

redaction('given a secret in another form, when lines are redacted, then it is found', () => {
  const value = 'pa"ss w\\ö\nrd\'/?+~';
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  for (const text of [
    value,
    JSON.stringify({ a: [value] }),
    encodeURIComponent(value),
    new URLSearchParams({ a: value }).toString(),
    base64(value),
    Buffer.from(value).toString('base64url'),
  ]) {
    assert.match(shown(`<${text}>`, [value]), /^<[^w]*\[redacted\][^w]*>$/, text);
  }
  for (const before of ['', 'u', 'us', 'user:', 'user1:']) {
    const text = shown(base64(`${before}secret-of-theirs;`), ['secret-of-theirs']);
    const [start = '', end = ''] = text.split(redacted);
    // What is left are the bits that it shares with what lies beside it.
    assert.not.match(Buffer.from(`${start}${end}`, 'base64').toString(), /sec|eir/, text);
    assert.ok(text.includes(redacted), text);
  }
  assert.equal(shownOf(['begin', 'first', 'second', 'end'], ['first\nsecond']), [
    'begin',
    redacted,
    redacted,
    'end',
  ]);
});

redaction('given overlapping secrets, when lines are redacted, then all of each is gone', () => {
  assert.is(shown('xabcdefx', ['abcd', 'cdef']), `x${redacted}x`);
  assert.is(shown('aaaaaaa', ['aaa', 'aaaaa']), redacted);
  assert.is(shown('number 4242', ['42424', '4242']), `number ${redacted}`);
});

redaction(
  'given configuration, when lines are redacted, then values of six characters and more are gone',
  () => {
    const configuration = { key: 'sk_live_1', region: 'eu', five: '12345', six: '123456' };
    assert.is(shown('sk_live_1 eu 12345 0123456', [], configuration), `${redacted} eu 12345 0${redacted}`);
  },
);

redaction('given card numbers that nobody injected, when lines are redacted, then they are gone', () => {
  for (const number of [
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '378282246310005',
    '3782 822463 10005',
    '6304000000000000018',
    '4222222222222',
  ]) {
    assert.is(shown(`card ${number}.`), `card ${redacted}.`, number);
    assert.is(shown(`{"number":"${number}"}`), `{"number":"${redacted}"}`);
  }
  assert.not.match(shown('2026-11-21 4242 4242 4242 4242 12 30'), /4242 4242/);
  for (const text of ['4242424242424241', '4242  4242 4242 4242', '424242424242', '42424242424242424242']) {
    assert.is(shown(text), text);
  }
});

redaction('given a line that was cut, when it is redacted, then no beginning of a secret is left', () => {
  const cut = (text: string, injected: readonly string[]): string =>
    redact([{ level: 'info', text, isCut: true }], { injected, configuration: {} })[0]?.text ?? '';
  assert.is(cut(`${'.'.repeat(1_000)}secret-of-th`, ['secret-of-theirs']).includes('secret'), false);
  assert.match(cut(`${'.'.repeat(1_000)}secret-of-th`, ['secret-of-theirs']), /^\.{800,}…$/);
  assert.is(cut('card 4242 4242 4242 424', []), 'card …');
});

redaction(
  'given the longest logs and a thousand secrets, when they are redacted, then no time is lost',
  () => {
    const logs: Record<string, string> = {
      random: Array.from({ length: 6_000 }, (_, index) => (index * 7_919).toString(36)).join(' '),
      same: 'a'.repeat(65_000),
      digits: '4 2 '.repeat(16_000),
    };
    const secrets = {
      different: Array.from({ length: 1_000 }, (_, index) => `secret ${index} of ${index * 31}`),
      nested: Array.from({ length: 1_000 }, (_, index) => 'a'.repeat(index + 3)),
      late: Array.from({ length: 1_000 }, (_, index) => `${'a'.repeat(3_000)}${index}`),
    };
    for (const text of Object.values(logs)) {
      const lines = text.match(/[^]{1,400}/g) ?? [];
      for (const injected of Object.values(secrets)) {
        const start = performance.now();
        shownOf(lines, injected);
        const took = performance.now() - start;
        if (process.env['SHOW_TIMES'] !== undefined) process.stderr.write(`${took.toFixed(0)} ms\n`);
        // Not a measure of speed: what grows with the product of both takes minutes.
        assert.ok(took < 5_000, `${took} ms`);
      }
    }
  },
);

redaction.run();
