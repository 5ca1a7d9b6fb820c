import { rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkedContent, listedFiles } from '#infra/backup/checkedFiles.ts';
import { syncDirectory, writeDurably } from '#infra/backup/durableFiles.ts';
import type { CopiedDirectory } from '#infra/backup/manifest.ts';
import { ifThere } from '#infra/storage/files/places.ts';

/**
 * Puts copied files back. What is there stays: a head of the audit log that survived is newer, and tells what is
 * missing from the database now.
 * @throws BackupRefused when a file is not as it was written
 */
export async function restoreDirectory(
  backup: string,
  copied: CopiedDirectory,
  target: string,
): Promise<void> {
  for await (const { path, bytes, sha256 } of listedFiles(backup, copied)) {
    const place = join(target, path);
    if ((await ifThere(stat(place))) !== undefined) continue;
    const unfinished = `${place}.restoring`;
    await rm(unfinished, { force: true });
    await writeDurably(unfinished, checkedContent(backup, { file: join(copied.name, path), bytes, sha256 }));
    await rename(unfinished, place);
    await syncDirectory(dirname(place));
  }
}
