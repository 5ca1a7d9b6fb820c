import { createReadStream } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { writeDurably } from '#infra/backup/durableFiles.ts';
import type { CopiedDirectory } from '#infra/backup/manifest.ts';
import { ifThere } from '#infra/storage/files/places.ts';

/** What belongs to a backup besides tables. */
export type SourceDirectory = {
  /** Lower-case letters. */
  name: string;
  path: string;
  /** Which files, by their path in it. */
  includes: (path: string) => boolean;
};

/** A line of a listing. */
export type ListedFile = { path: string; bytes: number; sha256: string };

/** Copies the files of a directory, and lists them. What is removed meanwhile is left out. */
export async function copyDirectory(
  source: SourceDirectory,
  backup: string,
  onFile?: (path: string) => void,
): Promise<CopiedDirectory> {
  const { name } = source;
  let files = 0;
  async function* listing(): AsyncGenerator<string> {
    for await (const path of filesIn(source)) {
      const sum = await copyFile(join(source.path, path), join(backup, name, path));
      if (sum === undefined) continue;
      files++;
      onFile?.(path);
      const listed: ListedFile = { path, bytes: sum.bytes, sha256: sum.sha256 };
      yield `${JSON.stringify(listed)}\n`;
    }
  }
  const file = `${name}.list`;
  const { bytes, sha256 } = await writeDurably(join(backup, file), listing());
  return { name, files, listing: { file, bytes, sha256 } };
}

async function* filesIn({ path, includes }: SourceDirectory): AsyncGenerator<string> {
  if ((await ifThere(stat(path))) === undefined) return;
  for await (const entry of await opendir(path, { recursive: true })) {
    const found = relative(path, join(entry.parentPath, entry.name));
    if (entry.isFile() && includes(found)) yield found;
  }
}

async function copyFile(from: string, to: string): Promise<{ bytes: number; sha256: string } | undefined> {
  if ((await ifThere(stat(from))) === undefined) return undefined;
  return ifThere(writeDurably(to, createReadStream(from)));
}
