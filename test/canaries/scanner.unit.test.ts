import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Canaries } from '#test/canaries/support/canary.ts';
import { Scanner } from '#test/canaries/support/scanner.ts';
import { spellingsOf } from '#test/canaries/support/spellings.ts';

const scanner = suite('the search for canaries');

const around = (text: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from('\0before '), Buffer.from(text as string), Buffer.from(' after')]);

scanner(
  'given a canary in any spelling among other bytes, when it is searched, then it is found once or more',
  () => {
    const canaries = new Canaries();
    for (const kind of ['card', 'account', 'text'] as const) canaries.make(kind, kind);
    canaries.code('code');
    const search = new Scanner(canaries.hunted);
    for (const canary of canaries.hunted) {
      for (const { name, bytes } of spellingsOf(canary.value)) {
        const found = search.scan(around(bytes));
        assert.ok(
          found.some((sighting) => sighting.canary === canary && sighting.spelling === name),
          `${canary.kind}, ${name}`,
        );
      }
    }
  },
);

scanner('given text around a canary, when all of it is encoded, then it is found at each alignment', () => {
  const canaries = new Canaries();
  const number = canaries.make('card', 'a card');
  const search = new Scanner(canaries.hunted);
  for (const before of ['', 'x', 'xy', 'xyz']) {
    const encoded = Buffer.from(`${before}${number} and more`);
    assert.is(search.scan(Buffer.from(encoded.toString('base64'))).length, 1, before);
    assert.is(search.scan(Buffer.from(encoded.toString('hex'))).length, 1, before);
  }
});

scanner('given what holds no canary, when it is searched, then nothing is found', () => {
  const canaries = new Canaries();
  const number = canaries.make('card', 'a card');
  const search = new Scanner(canaries.hunted);
  assert.equal(search.scan(around(number.slice(0, -1))), []);
  assert.equal(search.scan(Buffer.from(number.slice(0, -1))), []);
  assert.equal(search.scan(Buffer.alloc(2)), []);
});

scanner('given an accepted name, when it is released, then it is hunted no more', () => {
  const canaries = new Canaries();
  const name = canaries.make('text', 'a name');
  canaries.release(name);
  assert.equal(canaries.hunted, []);
  assert.is(canaries.inClear.length, 1);
});

scanner.run();
