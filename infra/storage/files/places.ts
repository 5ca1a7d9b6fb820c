import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errno } from '#src/errno.ts';
import { makeDirectories } from '#infra/files/makeDirectories.ts';
import { checkKey, checkPath } from '#infra/storage/objectKey.ts';

/** Where what lies. All in one file system, so that files can be linked and renamed from one to the other. */
export type Places = {
  open(key: string): string;
  sealed(key: string): string;
  /** A name of its own for something that is not whole yet. */
  unfinished(): string;
  unfinishedDirectory: string;
  /** Of all objects below a path. */
  directories(path: string): readonly string[];
};

export function placesIn(directory: string): Places {
  const place =
    (stage: string) =>
    (key: string): string => {
      checkKey(key);
      return join(directory, stage, key);
    };
  const unfinishedDirectory = join(directory, 'unfinished');
  return {
    open: place('open'),
    sealed: place('sealed'),
    unfinished: () => join(unfinishedDirectory, randomUUID()),
    unfinishedDirectory,
    directories: (path) => {
      checkPath(path);
      return ['open', 'sealed'].map((stage) => join(directory, stage, path));
    },
  };
}

export const makeRoomFor = (path: string): Promise<void> => makeDirectories(dirname(path), 0o700);

/** Makes names durable that were added to the directory of this file, or taken from it. */
export async function syncDirectoryOf(path: string): Promise<void> {
  const directory = await open(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** What an operation answers; undefined where the file is not there. */
export async function ifThere<Answer>(operation: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** What a file system says that has no room, or does not work, at the moment. */
const passing = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'];

export const isUnavailable = (error: unknown): boolean => passing.includes(errno(error) ?? '');
