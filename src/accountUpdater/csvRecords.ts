import { CsvError, parse } from 'csv-parse';
import type { Parser } from 'csv-parse';
import { UnusableFile } from '#src/accountUpdater/unusableFile.ts';

export type CsvRecord = {
  fields: readonly string[];
  /** Where the next one begins, in bytes of the file. */
  end: number;
};

export type Beginning = {
  /** Of the source in the file, in bytes. A byte order mark is looked for at 0 only. */
  offset: number;
  /** Of the first record, for what is said of it. */
  row: number;
};

/** So much is given to the parser at a time. */
const sliceBytes = 64 * 1024;

/** A row with more is not read to its end: what a column takes of memory is many times what it takes of the file. */
const mostSeparatorsOfRow = 2_000_000;
const separator = ','.charCodeAt(0);

/**
 * The records of a CSV file as they come, some at a time; lines without anything are none. Memory is bounded by the
 * longest record and two million columns.
 * @throws UnusableFile where the next record cannot be read; those before it were answered
 */
export async function* csvRecords(
  source: AsyncIterable<Uint8Array>,
  { offset, row }: Beginning,
): AsyncGenerator<readonly CsvRecord[]> {
  let records: CsvRecord[] = [];
  const parser = parse({
    bom: offset === 0,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    relax_column_count: true,
    on_record: (fields: readonly string[], { bytes }) => {
      records.push({ fields, end: offset + bytes });
      row++;
      // Nothing leaves the parser by its own queue, so it never waits for that to be read.
      return null;
    },
  });
  // Failures are told to whoever wrote; without a listener they would end the process.
  parser.on('error', () => undefined);
  const ends = (): number => parser.info.records + parser.info.empty_lines;
  try {
    let endsBefore = 0;
    let separatorsSinceEnd = 0;
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length; at += sliceBytes) {
        const slice = chunk.subarray(at, at + sliceBytes);
        const failure = await write(parser, slice);
        yield records;
        records = [];
        if (failure !== undefined) throw faultOf(failure, row);
        separatorsSinceEnd = ends() === endsBefore ? separatorsSinceEnd + separatorsIn(slice) : 0;
        endsBefore = ends();
        if (separatorsSinceEnd > mostSeparatorsOfRow) throw new UnusableFile('endless_row', row);
      }
    }
    const failure = await finish(parser);
    yield records;
    if (failure !== undefined) throw faultOf(failure, row);
  } finally {
    parser.destroy();
  }
}

/** Those in quotes count, too. */
function separatorsIn(slice: Uint8Array): number {
  let count = 0;
  for (const byte of slice) if (byte === separator) count++;
  return count;
}

const write = (parser: Parser, slice: Uint8Array): Promise<Error | undefined> =>
  new Promise((resolve) => {
    parser.write(slice, (error) => {
      resolve(error ?? undefined);
    });
  });

function finish(parser: Parser): Promise<Error | undefined> {
  return new Promise((resolve) => {
    parser.once('error', resolve);
    parser.once('end', () => {
      resolve(undefined);
    });
    parser.resume();
    parser.end();
  });
}

function faultOf(error: Error, row: number): Error {
  if (!(error instanceof CsvError)) return error;
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return new UnusableFile('open_quote', row);
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return new UnusableFile('stray_quote', row);
    default:
      return error;
  }
}
