import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { planChunks } from '#src/accountUpdater/chunks.ts';
import { UnusableFile } from '#src/accountUpdater/unusableFile.ts';
import { header } from '#test/updater/support/files.ts';

const megabyte = 1_000_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Content that is made while it is read, so that only what the reader keeps is in memory. */
async function* repeated(begin: string, part: string, bytes: number): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(begin));
  const block = Buffer.from(part.repeat(Math.ceil(65_536 / part.length)));
  for (let sent = 0; sent < bytes; sent += block.length) yield block;
}

type Measured = { outcome: string; megabytes: number; rows: number };

async function read(content: AsyncIterable<Uint8Array>): Promise<Measured> {
  const used = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed + process.memoryUsage().external;
  };
  const before = used();
  let most = before;
  const watched = async function* (): AsyncGenerator<Uint8Array> {
    let chunks = 0;
    for await (const chunk of content) {
      if (chunks++ % 16 === 1) most = Math.max(most, used());
      yield chunk;
    }
  };
  const megabytes = (): number => (most - before) / megabyte;
  try {
    const { rows } = await planChunks(watched());
    return { outcome: 'usable', rows, megabytes: megabytes() };
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    return { outcome: error.fault, rows: 0, megabytes: megabytes() };
  }
}

/**
 * In megabytes. A cell is held once in the parser, whose room for it grows by doubling, and once as text; two million
 * columns take 16 MB and the text of each.
 */
const bounds = { few: 25, longCell: 130, manyColumns: 130 };

type File = [
  name: string,
  begin: string,
  part: string,
  bytes: number,
  outcome: string,
  bound: keyof typeof bounds,
];

const files: File[] = [
  ['a header of 10 MB', '', 'a', 10 * megabyte, 'no_header', 'longCell'],
  ['nothing but quotes', '', '"', 30 * megabyte, 'no_header', 'longCell'],
  ['nothing but NUL', '', '\0', 30 * megabyte, 'no_header', 'longCell'],
  ['a cell of 30 MB', `${header}\n`, 'a', 30 * megabyte, 'columns', 'longCell'],
  [
    'a quote that is never closed',
    `${header}\nt1,,,"`,
    't2,30,02,m\n',
    30 * megabyte,
    'endless_row',
    'longCell',
  ],
  [
    'a quote that is never closed over nothing',
    `${header}\nt1,,,"`,
    'a',
    30 * megabyte,
    'open_quote',
    'longCell',
  ],
  ['a million columns', `${header}\n`, ',', megabyte, 'columns', 'manyColumns'],
  ['ten million columns', `${header}\n`, ',', 10 * megabyte, 'endless_row', 'manyColumns'],
  ['ten million quoted columns', `${header}\n`, '"",', 30 * megabyte, 'endless_row', 'manyColumns'],
  [
    'columns over many quoted line breaks',
    `${header}\n`,
    `"\n"${','.repeat(4000)}`,
    30 * megabyte,
    'endless_row',
    'manyColumns',
  ],
  ['nothing but line breaks', '', '\r\n', 30 * megabyte, 'empty', 'few'],
  ['a million short rows', `${header}\n`, ',,,\n', 4 * megabyte, 'usable', 'few'],
];

/** Reads files whose content is made meanwhile: all of them, or those of at most so many bytes. */
export function testHostileFiles(mostBytes = Infinity): void {
  const hostile = suite('hostile request files');
  for (const [name, begin, part, bytes, outcome, bound] of files) {
    if (bytes > mostBytes) continue;
    hostile(`given ${name}, when the file is read, then memory is bounded`, async () => {
      const measured = await read(repeated(begin, part, bytes));
      assert.is(measured.outcome, outcome);
      assert.ok(measured.megabytes < bounds[bound], `${measured.megabytes} MB`);
    });
  }
  hostile.run();
}
