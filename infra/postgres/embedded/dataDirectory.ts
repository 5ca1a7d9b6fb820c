import { constants } from 'node:fs';
import { access, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errno } from '#src/errno.ts';
import { fileSystemReason } from '#infra/files/fileSystemReason.ts';
import { makeDirectories } from '#infra/files/makeDirectories.ts';
import { writeAtomically } from '#infra/files/writeAtomically.ts';
import { StartupError } from '#src/startupError.ts';

/** Raised when an older Holdfast could no longer work with the directory. */
const format = 1;

/** The file that makes a directory one of ours, and says its format. */
export const markerOf = (path: string): string => join(path, 'holdfast.json');

/** Where everything of one data directory lies; all paths are absolute and free of symbolic links. */
export type DataDirectory = {
  path: string;
  /** What Postgres calls its data directory. */
  cluster: string;
  /** Held locked by the owner for as long as it lives. */
  lock: string;
  /** Names the owner: process id and purpose. */
  owner: string;
  /** What Postgres writes to its standard error. */
  log: string;
};

/**
 * Makes the directory when it is missing, and checks that this version of Holdfast may write to it.
 * @throws StartupError when it is a file, cannot be written, or was made by a newer version
 */
export async function openDataDirectory(given: string): Promise<DataDirectory> {
  const wanted = resolve(given);
  await makeDirectory(wanted);
  const path = await realpath(wanted);
  await checkWritable(path);
  await checkFormat(path);
  return {
    path,
    cluster: join(path, 'postgres'),
    lock: join(path, 'lock'),
    owner: join(path, 'owner.json'),
    log: join(path, 'postgres.log'),
  };
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await makeDirectories(path, 0o700);
  } catch (error) {
    if (await isFile(path)) throw new StartupError(`the data directory ${path} is a file`, { cause: error });
    throw new StartupError(`the data directory ${path} cannot be made: ${reason(error)}`, { cause: error });
  }
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}

async function checkWritable(path: string): Promise<void> {
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK).catch(refuseUnwritable(path));
}

function refuseUnwritable(path: string): (error: unknown) => never {
  return (error) => {
    throw new StartupError(`the data directory ${path} cannot be written: ${reason(error)}`, {
      cause: error,
    });
  };
}

async function checkFormat(path: string): Promise<void> {
  const file = markerOf(path);
  const found = await readFormat(file);
  if (found === undefined) {
    await writeAtomically(file, `${JSON.stringify({ format })}\n`).catch(refuseUnwritable(path));
    return;
  }
  if (found <= format) return;
  throw new StartupError(
    `the data directory was made by a newer Holdfast: ${file} says format ${found}, this version knows up to ${format}`,
  );
}

async function readFormat(file: string): Promise<number | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof content === 'object' && content !== null && 'format' in content) {
      if (typeof content.format === 'number') return content.format;
    }
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    throw new StartupError(`${file} cannot be read: ${reason(error)}`, { cause: error });
  }
  throw new StartupError(`${file} does not say the format of the data directory`);
}

function reason(error: unknown): string {
  return fileSystemReason(error) ?? errno(error) ?? (error instanceof Error ? error.message : String(error));
}
