import { csvRecords } from '#src/accountUpdater/csvRecords.ts';
import type { Beginning, CsvRecord } from '#src/accountUpdater/csvRecords.ts';
import { UnusableFile, requestColumns } from '#src/accountUpdater/unusableFile.ts';

/** A row of the request file; every cell as it is written there. */
export type Row = {
  /** 1 is the first after the header. */
  number: number;
  token: string;
  expirationYear: string;
  expirationMonth: string;
  merchantId: string;
};

/** Rows that follow each other, and where the one after each of them begins, in bytes. */
export type RowBatch = { rows: readonly Row[]; ends: readonly number[] };

/**
 * The rows of a whole request file: header, encoding and number of columns are checked on the way.
 * @returns batches; the first says where the first row begins, if there is one
 * @throws UnusableFile
 */
export async function* readRows(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<RowBatch & { headerEnd: number }> {
  let headerEnd: number | undefined;
  let next = 1;
  for await (const batch of csvRecords(validUtf8(source), { offset: 0, row: 0 })) {
    let records = batch;
    if (headerEnd === undefined) {
      const [header] = records;
      if (header === undefined) continue;
      checkHeader(header.fields);
      headerEnd = header.end;
      records = records.slice(1);
    }
    yield { headerEnd, ...batchOf(records, next) };
    next += records.length;
  }
  if (headerEnd === undefined) throw new UnusableFile('empty');
}

/**
 * The rows of a part of a file that was read before.
 * @throws UnusableFile when it is another file
 */
export async function readPart(source: AsyncIterable<Uint8Array>, beginning: Beginning): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const records of csvRecords(source, beginning)) {
    rows.push(...batchOf(records, beginning.row + rows.length).rows);
  }
  return rows;
}

function batchOf(records: readonly CsvRecord[], first: number): RowBatch {
  return {
    rows: records.map(({ fields }, index) => rowOf(fields, first + index)),
    ends: records.map(({ end }) => end),
  };
}

function rowOf(fields: readonly string[], number: number): Row {
  if (fields.length !== requestColumns.length) throw new UnusableFile('columns', number, fields.length);
  const [token = '', expirationYear = '', expirationMonth = '', merchantId = ''] = fields;
  return { number, token, expirationYear, expirationMonth, merchantId };
}

function checkHeader(fields: readonly string[]): void {
  if (fields.length === requestColumns.length && requestColumns.every((name, at) => fields[at] === name)) {
    return;
  }
  const names: readonly string[] = requestColumns;
  const looksLikeHeader = fields.some((field) => names.includes(field.trim().toLowerCase()));
  throw new UnusableFile(looksLikeHeader ? 'wrong_header' : 'no_header');
}

/** Passes bytes on as they are. */
async function* validUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of source) {
    check(() => decoder.decode(chunk, { stream: true }));
    yield chunk;
  }
  check(() => decoder.decode());
}

function check(decode: () => string): void {
  try {
    decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UnusableFile('encoding');
  }
}
