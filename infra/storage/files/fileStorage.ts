import { link, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyObject } from 'node:crypto';
import { ifThere, makeRoomFor, placesIn, syncDirectoryOf } from '#infra/storage/files/places.ts';
import type { Places } from '#infra/storage/files/places.ts';
import { signedPath } from '#infra/storage/files/signedUrls.ts';
import { storeUnpublished } from '#infra/storage/files/store.ts';
import { ObjectNotFound } from '#ports/objectStorage.ts';
import type { ByteRange, ObjectStorage, Sealing } from '#ports/objectStorage.ts';
import { errno } from '#src/errno.ts';

export type FileStorageSettings = {
  directory: string;
  /** Where clients reach the service, without a final slash. */
  baseUrl: string;
  /** Signs URLs: all processes have the same one. */
  secret: () => Promise<KeyObject>;
};

export type FileStorage = ObjectStorage & {
  /** Removes what interrupted uploads have left before that. */
  sweep(before: Date): Promise<void>;
};

/** Objects as files of one file system, under URLs that the service signs, and answers itself. */
export function createFileStorage({ directory, baseUrl, secret }: FileStorageSettings): FileStorage {
  const places = placesIn(directory);
  const urlOf = async (
    method: 'PUT' | 'GET',
    key: string,
    expiresAt: Date,
    mostBytes: number,
  ): Promise<string> => {
    const expires = Math.floor(expiresAt.getTime() / 1000);
    return baseUrl + signedPath(await secret(), { method, key, expires, mostBytes });
  };
  return {
    uploadUrl: (key, { expiresAt, mostBytes }) => urlOf('PUT', key, expiresAt, mostBytes),
    downloadUrl: (key, { expiresAt }) => urlOf('GET', key, expiresAt, 0),
    head: async (key) => {
      const found = (await ifThere(stat(places.sealed(key)))) ?? (await ifThere(stat(places.open(key))));
      return found === undefined ? undefined : { bytes: found.size };
    },
    seal: (key, { mostBytes }) => seal(places, key, mostBytes),
    read: (key, range) => read(places, key, range),
    write: async (key, content, bytes) => {
      const unpublished = await storeUnpublished(places, content, bytes);
      const sealed = places.sealed(key);
      await makeRoomFor(sealed);
      await rename(unpublished.path, sealed);
      await syncDirectoryOf(sealed);
    },
    remove: async (key) => {
      for (const path of [places.open(key), places.sealed(key)]) await ifThere(unlink(path));
    },
    removeAll: async (path) => {
      for (const each of places.directories(path)) await rm(each, { recursive: true, force: true });
    },
    sweep: async (before) => {
      for (const name of (await ifThere(readdir(places.unfinishedDirectory))) ?? []) {
        const path = join(places.unfinishedDirectory, name);
        const found = await ifThere(stat(path));
        if (found !== undefined && found.mtime < before) await ifThere(unlink(path));
      }
    },
    close: () => undefined,
  };
}

/** By a link, because of two that seal at a time, only one makes it. */
async function seal(places: Places, key: string, mostBytes: number): Promise<Sealing> {
  const [open, sealed] = [places.open(key), places.sealed(key)];
  const found = await ifThere(stat(sealed));
  if (found === undefined) {
    await makeRoomFor(sealed);
    await linkUnlessDone(open, sealed);
    if ((await ifThere(stat(sealed))) === undefined) return { outcome: 'absent' };
    await syncDirectoryOf(sealed);
  }
  const { size } = found ?? (await stat(sealed));
  await ifThere(unlink(open));
  if (size <= mostBytes) return { outcome: 'sealed', object: { bytes: size } };
  await unlink(sealed);
  return { outcome: 'too_large' };
}

/** Who seals at the same time may have made it, and may have taken away already what it was made of. */
async function linkUnlessDone(open: string, sealed: string): Promise<void> {
  try {
    await link(open, sealed);
  } catch (error) {
    if (errno(error) !== 'EEXIST' && errno(error) !== 'ENOENT') throw error;
  }
}

async function read(
  places: Places,
  key: string,
  range: ByteRange | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  if (range !== undefined && range.end <= range.start) return noBytes();
  const file = await ifThere(open(places.sealed(key)));
  if (file === undefined) throw new ObjectNotFound(key);
  // Node's streams count the last byte as a part.
  const options = range === undefined ? {} : { start: range.start, end: range.end - 1 };
  return file.createReadStream(options) as AsyncIterable<Uint8Array>;
}

async function* noBytes(): AsyncGenerator<Uint8Array> {
  yield* [];
}
