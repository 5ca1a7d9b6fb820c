import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Meter } from '#infra/backup/meter.ts';
import type { Measure } from '#infra/backup/meter.ts';
import { makeDirectories } from '#infra/files/makeDirectories.ts';

export type Bytes = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

/**
 * Writes a new file, which only its owner may read, and flushes it.
 * @param onBytes called with the length of each piece
 * @throws the file system's error @throws whatever the content throws
 */
export async function writeDurably(
  path: string,
  content: Bytes,
  onBytes?: (count: number) => void,
): Promise<Measure> {
  await makeDirectories(dirname(path), 0o700);
  const meter = new Meter(onBytes);
  const file = await open(path, 'wx', 0o600);
  try {
    await pipeline(content, meter, async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) await file.appendFile(piece);
    });
    await file.sync();
  } finally {
    await file.close();
  }
  return meter.measure();
}

/** Makes the names in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
