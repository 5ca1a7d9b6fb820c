import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { createInterface } from 'node:readline/promises';
import Type from 'typebox';
import Value from 'typebox/value';
import type { ListedFile } from '#infra/backup/copyDirectory.ts';
import type { CopiedDirectory, FileSum } from '#infra/backup/manifest.ts';
import { Meter } from '#infra/backup/meter.ts';
import { BackupRefused } from '#infra/backup/refused.ts';
import { ifThere } from '#infra/storage/files/places.ts';

/**
 * The content of a file of a backup, as it was written; who takes it must be able to go back when it ends in an error.
 * @throws BackupRefused that names the file, and says what is wrong
 */
export async function* checkedContent(
  backup: string,
  sum: Pick<FileSum, 'file' | 'bytes' | 'sha256'>,
): AsyncGenerator<Buffer> {
  const path = join(backup, sum.file);
  const found = await ifThere(stat(path));
  if (found === undefined) throw new BackupRefused(`${path} is missing from the backup`);
  if (found.size < sum.bytes) {
    throw new BackupRefused(`${path} was cut short: it has ${found.size} of ${sum.bytes} bytes`);
  }
  const meter = new Meter();
  const content = createReadStream(path, { highWaterMark: 1 << 18 });
  content.on('error', (error) => meter.destroy(error));
  for await (const piece of content.pipe(meter)) yield piece as Buffer;
  if (meter.measure().sha256 === sum.sha256) return;
  throw new BackupRefused(`${path} was changed: its SHA-256 is not the one in the manifest`);
}

/** Reads a file of a backup to its end. @throws BackupRefused */
export async function checkFile(
  backup: string,
  sum: Pick<FileSum, 'file' | 'bytes' | 'sha256'>,
  onBytes: (count: number) => void = () => undefined,
): Promise<void> {
  for await (const piece of checkedContent(backup, sum)) onBytes(piece.length);
}

const Listed = Type.Object({
  path: Type.String({ minLength: 1 }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String(),
});

/** The files of a copied directory, once their listing has been found whole. @throws BackupRefused */
export async function* listedFiles(backup: string, { listing }: CopiedDirectory): AsyncGenerator<ListedFile> {
  await checkFile(backup, listing);
  const path = join(backup, listing.file);
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const listed: unknown = JSON.parse(line);
    if (!Value.Check(Listed, listed) || !staysBelow(listed.path)) {
      throw new BackupRefused(`${path} is damaged`);
    }
    yield listed;
  }
}

const staysBelow = (path: string): boolean => normalize(path) === path && !/^(\/|\.\.(\/|$))/.test(path);
