import type { ObjectStorage } from '#ports/objectStorage.ts';
import { planChunks, readChunk } from '#src/accountUpdater/chunks.ts';
import type { Row } from '#src/accountUpdater/readRows.ts';

export const header = 'token,expiration_year,expiration_month,merchant_id';

/** Content as it comes over a network: in parts of this many bytes. */
export async function* inParts(content: string | Uint8Array, bytes = 65_536): AsyncGenerator<Uint8Array> {
  const whole = Buffer.from(content as string);
  for (let at = 0; at < whole.length; at += bytes) {
    yield await Promise.resolve(whole.subarray(at, at + bytes));
  }
}

/** A storage that holds one object. */
export const holding = (content: string | Uint8Array, bytes?: number): Pick<ObjectStorage, 'read'> => ({
  read: (_key, range) => {
    const whole = Buffer.from(content as string);
    return Promise.resolve(inParts(whole.subarray(range?.start, range?.end), bytes));
  },
});

/** All rows of a file, planned and then read chunk by chunk, the last chunk first. */
export async function rowsOf(content: string | Uint8Array, chunkRows = 3, bytes = 7): Promise<Row[]> {
  const plan = await planChunks(inParts(content, bytes), chunkRows);
  const chunks: Row[][] = [];
  for (let chunk = plan.chunkOffsets.length - 1; chunk >= 0; chunk--) {
    chunks.unshift(await readChunk(holding(content, bytes), 'a/request.csv', plan, chunk));
  }
  return chunks.flat();
}

export const cellsOf = ({ token, expirationYear, expirationMonth, merchantId }: Row): string[] => [
  token,
  expirationYear,
  expirationMonth,
  merchantId,
];
