import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { derivedId, randomId } from '#src/identifiers.ts';

const commandId = '0b6f2d2a-6b0e-4b43-9b0e-0f5c1f2b7a11';

test('given the same command and parts, then the id is the same and a uuid of version 5', () => {
  const id = derivedId(commandId, 'event', 0);
  assert.is(derivedId(commandId, 'event', 0n), id);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('given another command, or parts cut in another place, then the id is another', () => {
  const ids = [
    derivedId(commandId),
    derivedId(commandId, ''),
    derivedId(commandId, 'ab', 'c'),
    derivedId(commandId, 'a', 'bc'),
    derivedId(commandId, 'abc'),
    derivedId(commandId, 'event', 1),
    derivedId(commandId, 'event', 11),
    derivedId(randomId(), 'event', 1),
  ];
  assert.is(new Set(ids).size, ids.length);
});

test('given a command id that is no uuid, then nothing is derived', () => {
  assert.throws(
    () => derivedId('my-key', 1),
    (error: unknown) => error instanceof TypeError,
  );
});

test.run();
