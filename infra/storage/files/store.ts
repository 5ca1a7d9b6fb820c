import { open, unlink } from 'node:fs/promises';
import type { Places } from '#infra/storage/files/places.ts';
import { makeRoomFor } from '#infra/storage/files/places.ts';

export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes';
}

/** A file that is whole and durable, under a name that nobody knows. */
export type Unpublished = { path: string; inode: bigint; bytes: number };

/**
 * Writes content as it comes; nothing stays when it breaks off.
 * @throws TooManyBytes @throws whatever the content throws
 */
export async function storeUnpublished(
  places: Places,
  content: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Unpublished> {
  const path = places.unfinished();
  await makeRoomFor(path);
  const file = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new TooManyBytes();
      await file.appendFile(chunk);
    }
    await file.sync();
    const { ino: inode } = await file.stat({ bigint: true });
    return { path, inode, bytes };
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
}
