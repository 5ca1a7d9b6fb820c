import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errno } from '#src/errno.ts';

/**
 * Makes a directory and those above it; one that is there already is fine. (Node's own recursive `mkdir` never
 * ends where a file system says "not found" to a directory whose parent exists.)
 * @param mode of the directories that are made
 * @throws the file system's error
 */
export async function makeDirectories(path: string, mode: number, isRetry = false): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const code = errno(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path) throw error;
    // Somebody else may have made the parent meanwhile: then a second attempt succeeds.
    if (isRetry && (await isDirectory(parent))) throw error;
    await makeDirectories(parent, mode);
    await makeDirectories(path, mode, true);
  }
}

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
