import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file system of a fixed size that can be filled. */
export type SmallDisk = {
  directory: string;
  /** Until not a byte fits any more. */
  fill(): Promise<void>;
  empty(): Promise<void>;
  unmount(): Promise<void>;
};

/** Why this machine cannot mount one, or undefined. */
export const cannotMount = (): string | undefined =>
  process.platform === 'linux' && process.getuid?.() === 0
    ? undefined
    : 'mounting a tmpfs needs root, on Linux';

/** @param megabytes that it holds */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', directory]);
  const filler = join(directory, 'filler');
  return {
    directory,
    fill: () => writeUntilFull(filler),
    empty: () => rm(filler),
    unmount: async () => {
      await run('umount', [directory]);
      await rm(directory, { recursive: true });
    },
  };
}

async function writeUntilFull(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (let size = 1_048_576; size >= 1;) {
      const written = await file.write(Buffer.alloc(size)).catch(() => undefined);
      if (written === undefined) size = Math.floor(size / 2);
    }
  } finally {
    await file.close();
  }
}
