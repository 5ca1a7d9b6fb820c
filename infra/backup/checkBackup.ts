import { opendir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { checkFile, listedFiles } from '#infra/backup/checkedFiles.ts';
import { manifestIn } from '#infra/backup/manifest.ts';
import type { BackupContents, FileSum } from '#infra/backup/manifest.ts';
import { BackupRefused } from '#infra/backup/refused.ts';

/**
 * Reads every file of a backup, and holds it against the manifest.
 * @param onProgress called with the bytes that were read so far
 * @throws BackupRefused that names the first file that is not as it was written, or was put there since
 */
export async function checkBackup(
  backup: string,
  contents: BackupContents,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<{ files: number; bytes: number }> {
  let bytes = 0;
  let files = 0;
  const onBytes = (count: number): void => {
    bytes += count;
    onProgress(bytes);
  };
  for await (const sum of filesOf(backup, contents)) {
    await checkFile(backup, sum, onBytes);
    files++;
  }
  await requireNoOther(backup, contents, files);
  return { files, bytes };
}

type NamedSum = Pick<FileSum, 'file' | 'bytes' | 'sha256'>;

async function* filesOf(backup: string, { tables, directories }: BackupContents): AsyncGenerator<NamedSum> {
  yield* tables;
  for (const copied of directories) {
    for await (const { path, ...sum } of listedFiles(backup, copied)) {
      yield { ...sum, file: join(copied.name, path) };
    }
  }
}

/** Counts first: there may be more uploaded files than names fit into memory. */
async function requireNoOther(backup: string, contents: BackupContents, files: number): Promise<void> {
  const beside = [
    relative(backup, manifestIn(backup)),
    ...contents.directories.map((one) => one.listing.file),
  ];
  if ((await countOf(pathsIn(backup))) === files + beside.length) return;
  const known = new Set(beside);
  for await (const { file } of filesOf(backup, contents)) known.add(file);
  for await (const path of pathsIn(backup)) {
    if (!known.has(path)) {
      throw new BackupRefused(`${join(backup, path)} is not in the manifest of the backup`);
    }
  }
}

async function countOf(paths: AsyncGenerator<string>): Promise<number> {
  let count = 0;
  while ((await paths.next()).done !== true) count++;
  return count;
}

/** Of everything but directories, relative to the backup. */
async function* pathsIn(backup: string): AsyncGenerator<string> {
  for await (const entry of await opendir(backup, { recursive: true })) {
    if (!entry.isDirectory()) yield relative(backup, join(entry.parentPath, entry.name));
  }
}
