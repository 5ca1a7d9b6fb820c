import { join } from 'node:path';
import { checkFile, listedFiles } from '#infra/backup/checkedFiles.ts';
import type { BackupContents } from '#infra/backup/manifest.ts';

/**
 * Reads every file of a backup, and holds it against the manifest.
 * @param onProgress called with the bytes that were read so far
 * @throws BackupRefused that names the first file that is not as it was written
 */
export async function checkBackup(
  backup: string,
  { tables, directories }: BackupContents,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<{ files: number; bytes: number }> {
  let bytes = 0;
  let files = 0;
  const onBytes = (count: number): void => {
    bytes += count;
    onProgress(bytes);
  };
  for (const table of tables) {
    await checkFile(backup, table, onBytes);
    files++;
  }
  for (const copied of directories) {
    for await (const { path, ...sum } of listedFiles(backup, copied)) {
      await checkFile(backup, { ...sum, file: join(copied.name, path) }, onBytes);
      files++;
    }
  }
  return { files, bytes };
}
