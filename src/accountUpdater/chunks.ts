import type { Plan } from '#domain/accountUpdater/decide.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import type { RepeatFinder } from '#src/accountUpdater/repeats.ts';
import { readPart, readRows } from '#src/accountUpdater/readRows.ts';
import type { Row } from '#src/accountUpdater/readRows.ts';

/** So many tokens are read, asked about and written together, and done again when a worker dies. */
export const rowsOfChunk = 2000;

/** Every chunk is a step of its job: of a file with very short rows, chunks have more of them. */
const mostChunks = 512;

/**
 * Reads a file to its end before anything is done with it, so that an unusable one has no effects, and answers how it
 * is cut into chunks. The same file is cut alike each time.
 * @param finder is shown every row
 * @throws UnusableFile
 */
export async function planChunks(
  source: AsyncIterable<Uint8Array>,
  chunkRows: number = rowsOfChunk,
  finder?: Pick<RepeatFinder, 'see'>,
): Promise<Plan> {
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  let size = chunkRows;
  let chunkOffsets: number[] = [];
  let rows = 0;
  let begin = 0;
  for await (const { headerEnd, ends, rows: batch } of readRows(counted())) {
    for (const row of batch) finder?.see(row);
    if (rows === 0) begin = headerEnd;
    for (const end of ends) {
      if (rows === size * mostChunks) {
        size *= 2;
        chunkOffsets = chunkOffsets.filter((_, chunk) => chunk % 2 === 0);
      }
      if (rows % size === 0) chunkOffsets.push(begin);
      rows++;
      begin = end;
    }
  }
  return { bytes, rows, chunkRows: size, chunkOffsets };
}

/**
 * The rows of one chunk; the same each time, in whatever order chunks are read.
 * @throws UnusableFile when it is not the file that was planned @throws ObjectNotFound
 */
export async function readChunk(
  storage: Pick<ObjectStorage, 'read'>,
  key: string,
  { bytes, rows, chunkRows, chunkOffsets }: Plan,
  chunk: number,
): Promise<Row[]> {
  const start = chunkOffsets[chunk];
  if (start === undefined) throw new RangeError(`there is no chunk ${chunk}`);
  const first = chunk * chunkRows + 1;
  const source = await storage.read(key, { start, end: chunkOffsets[chunk + 1] ?? bytes });
  const read = await readPart(source, { offset: start, row: first });
  const expected = Math.min(chunkRows, rows - first + 1);
  if (read.length !== expected) throw new Error(`chunk ${chunk} has ${read.length} rows, not ${expected}`);
  return read;
}
