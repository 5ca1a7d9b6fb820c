import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errno } from '#src/errno.ts';

/** What a postmaster says of itself in its cluster, and what may be left of one that was killed. */
export type PostmasterFile = { pid: number; socketDirectory: string; ready: boolean };

export function postmasterFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/** Undefined when there is none, or it is empty. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  try {
    const lines = (await readFile(postmasterFile(cluster), 'utf8')).split('\n');
    const pid = Number(lines[0]);
    if (!(pid > 0)) return undefined;
    return { pid, socketDirectory: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    throw error;
  }
}
