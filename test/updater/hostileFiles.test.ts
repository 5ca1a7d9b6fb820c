import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { planChunks } from '#src/accountUpdater/chunks.ts';
import { UnusableFile } from '#src/accountUpdater/unusableFile.ts';
import { header } from '#test/updater/support/files.ts';

const hostile = suite('hostile request files');

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

/** In megabytes. */
const bound = 25;

const files: [name: string, begin: string, part: string, bytes: number, outcome: string][] = [
  ['a field of 10 MB', `${header}\n`, 'a', 10 * megabyte, 'long_row'],
  ['a quoted field of 10 MB', `${header}\nt1,,,"`, 'a', 10 * megabyte, 'long_row'],
  ['a quote that is never closed', `${header}\nt1,,,"`, 't2,30,02,m\n', 30 * megabyte, 'long_row'],
  ['a million columns', `${header}\n`, ',', megabyte, 'long_row'],
  ['a million empty, quoted columns', `${header}\n`, '"",', 3 * megabyte, 'long_row'],
  [
    'columns over many quoted line breaks',
    `${header}\n`,
    `"\n"${','.repeat(4000)}`,
    30 * megabyte,
    'long_row',
  ],
  ['a header of 10 MB', '', 'a', 10 * megabyte, 'long_row'],
  ['nothing but quotes', '', '"', 10 * megabyte, 'long_row'],
  ['nothing but line breaks', '', '\r\n', 30 * megabyte, 'empty'],
  ['nothing but NUL', '', '\0', 10 * megabyte, 'long_row'],
  ['a million short rows', `${header}\n`, ',,,\n', 4 * megabyte, 'usable'],
];

for (const [name, begin, part, bytes, outcome] of files) {
  hostile(`given ${name}, when the file is read, then memory is bounded`, async () => {
    const measured = await read(repeated(begin, part, bytes));
    assert.is(measured.outcome, outcome);
    assert.ok(measured.megabytes < bound, `${measured.megabytes} MB`);
  });
}

hostile(
  'given a row at the limit of its length, when the file is read, then only a longer one is too long',
  async () => {
    const row = (bytes: number): string => `${header}\n${'t'.repeat(bytes)},,,\n`;
    const outcomeOf = async (content: string): Promise<string> =>
      (await read(repeated(content, ' ', 0))).outcome;
    assert.is(await outcomeOf(row(4096)), 'usable');
    assert.is(await outcomeOf(row(4100)), 'long_row');
  },
);

hostile.run();
