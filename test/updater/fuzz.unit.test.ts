import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { planChunks } from '#src/accountUpdater/chunks.ts';
import { UnusableFile } from '#src/accountUpdater/unusableFile.ts';
import { cellsOf, header, inParts, rowsOf } from '#test/updater/support/files.ts';

const fuzz = suite('request files at random');

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '=', 'é'), maxLength: 6 }),
);
const line = fc.tuple(cell, cell, cell, cell);
const lineEnd = fc.constantFrom('\n', '\r\n');

const written = (cells: readonly string[]): string =>
  cells.map((each) => (/[",\r\n]/.test(each) ? `"${each.replaceAll('"', '""')}"` : each)).join(',');

fuzz('given any rows, when they are written and read in chunks, in any order, then they are the same', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 20 }),
      lineEnd,
      fc.boolean(),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 40 }),
      async (lines, end, mark, chunkRows, bytes) => {
        const content = (mark ? '\ufeff' : '') + [header, ...lines.map(written)].join(end) + end;
        assert.equal((await rowsOf(content, chunkRows, bytes)).map(cellsOf), lines);
      },
    ),
    { numRuns: 300 },
  ),
);

const garbage = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc
    .string({
      unit: fc.constantFrom(',', '"', '\n', '\r', 'a', '\ufeff', '\0', `${header}\n`),
      maxLength: 40,
    })
    .map((text) => Buffer.from(text)),
  fc
    .string({ unit: fc.constantFrom(',', '"', '\n', '\r', 'a', 'é'), maxLength: 60 })
    .map((text) => Buffer.from(`${header}\n${text}`)),
);

fuzz('given any bytes, when they are read however they come, then the outcome is one and the same', () =>
  fc.assert(
    fc.asyncProperty(garbage, fc.integer({ min: 1, max: 20 }), async (content, bytes) => {
      const outcomeBy = (size: number): Promise<unknown> =>
        planChunks(inParts(content, size), 2).catch((error: unknown) => {
          assert.instance(error, UnusableFile);
          return String(error);
        });
      const outcome = await outcomeBy(bytes);
      const atOnce = await outcomeBy(65_536);
      if (typeof outcome === 'string' && typeof atOnce === 'string') {
        // Of a file in another encoding that is wrong otherwise, too, either is told: what is read first.
        const eitherIsTold = [outcome, atOnce].some((fault) => fault.includes('UTF-8'));
        assert.ok(outcome === atOnce || eitherIsTold, `${outcome} ${atOnce}`);
        return;
      }
      assert.equal(outcome, atOnce);
      const cells = (await rowsOf(content, 2, bytes)).map(cellsOf);
      const options = { bom: true, record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true };
      assert.equal([header.split(','), ...cells], parse(Buffer.from(content), options));
    }),
    { numRuns: 2000 },
  ),
);

fuzz.run();
