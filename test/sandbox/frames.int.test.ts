import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createFrameReader, encodeFrame } from '#infra/sandbox/frames.ts';
import type { Frame } from '#infra/sandbox/frames.ts';

type Header = { n: number };

/** What a reader makes of bytes that come in pieces of these lengths, the last of which goes on for ever. */
function readIn(
  lengths: readonly number[],
  bytes: Buffer,
  limit = 1_000_000,
): { frames: Frame<Header>[]; faults: number } {
  const frames: Frame<Header>[] = [];
  let faults = 0;
  const reader = createFrameReader<Header>(
    limit,
    (frame) => frames.push(frame),
    () => {
      faults += 1;
    },
  );
  let at = 0;
  for (let piece = 0; at < bytes.length; piece += 1) {
    const end = at + (lengths[Math.min(piece, lengths.length - 1)] ?? 1);
    reader.read(bytes.subarray(at, end));
    at = end;
  }
  return { frames, faults };
}

test('given frames, when their bytes come in any pieces, then they are read as they were written', () => {
  const frames = fc.array(fc.record({ n: fc.integer(), payload: fc.string({ unit: 'grapheme' }) }), {
    minLength: 1,
  });
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
  fc.assert(
    fc.property(frames, lengths, (given, pieces) => {
      const bytes = Buffer.concat(given.map(({ n, payload }) => encodeFrame({ n }, payload)));
      const read = readIn(pieces, bytes);
      assert.equal(read, { frames: given.map(({ n, payload }) => ({ header: { n }, payload })), faults: 0 });
    }),
  );
});

test('given a frame above the limit, when it begins, then it is a fault, and what follows is not read', () => {
  const bytes = Buffer.concat([encodeFrame({ n: 1 }, 'x'.repeat(2_000)), encodeFrame({ n: 2 })]);
  assert.equal(readIn([16], bytes, 1_000), { frames: [], faults: 1 });
});

test('given bytes that are no frames, when they are read, then it is one fault and no error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 12, maxLength: 300 }), (bytes) => {
      const { frames, faults } = readIn([7], Buffer.from(bytes), 200);
      assert.ok(faults <= 1 && frames.length <= bytes.length / 8);
    }),
  );
  const header = encodeFrame({ n: 1 });
  header.write('{]', 8);
  assert.equal(readIn([100], header), { frames: [], faults: 1 });
});

test.run();
