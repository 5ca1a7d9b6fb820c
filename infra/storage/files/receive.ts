import { rename, stat, unlink } from 'node:fs/promises';
import { ifThere, makeRoomFor, syncDirectoryOf } from '#infra/storage/files/places.ts';
import type { Places } from '#infra/storage/files/places.ts';
import { storeUnpublished } from '#infra/storage/files/store.ts';
import type { StoredObject } from '#ports/objectStorage.ts';

/**
 * Takes an upload in; it replaces the one before. Undefined: it did not, because the object is sealed.
 * @throws TooManyBytes @throws whatever the content throws
 */
export async function receive(
  places: Places,
  key: string,
  content: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<StoredObject | undefined> {
  const [open, sealed] = [places.open(key), places.sealed(key)];
  if ((await ifThere(stat(sealed))) !== undefined) return undefined;
  const unpublished = await storeUnpublished(places, content, mostBytes);
  await makeRoomFor(open);
  await rename(unpublished.path, open);
  await syncDirectoryOf(open);
  const sealedMeanwhile = await ifThere(stat(sealed, { bigint: true }));
  if (sealedMeanwhile === undefined || sealedMeanwhile.ino === unpublished.inode) {
    return { bytes: unpublished.bytes };
  }
  // It was sealed while this came in: what came in must not lie there for ever.
  await ifThere(unlink(open));
  return undefined;
}
