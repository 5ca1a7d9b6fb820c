import * as fs from 'node:fs';
import { basename, join, relative } from 'node:path';
import { errno } from '#src/errno.ts';

/** A symbolic link that the npm package could not carry; both paths count from the package's root. */
type MissingLink = { source: string; target: string };

/**
 * Copies a `native` directory of the package, complete with its symbolic links, for everybody to read. The
 * copy appears at once, in a directory that exists: two processes may make it at the same time, and a crash leaves no half of it.
 */
export function copyBinaries(source: string, target: string): void {
  const unfinished = fs.mkdtempSync(`${target}.`);
  try {
    fs.cpSync(source, unfinished, { recursive: true, verbatimSymlinks: true });
    makeLinks(unfinished);
    openToAll(unfinished);
    fs.renameSync(unfinished, target);
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    // Another process was faster.
    if (errno(error) !== 'ENOTEMPTY') throw error;
  }
}

function makeLinks(directory: string): void {
  const links: MissingLink[] = JSON.parse(fs.readFileSync(join(directory, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = join(directory, relative('native', target));
    if (!fs.existsSync(link)) fs.symlinkSync(basename(source), link);
  }
}

function openToAll(directory: string): void {
  fs.chmodSync(directory, 0o755);
  for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink()) fs.chmodSync(path, 0o755);
    // The copy is kept for good once it has its name: a power failure must not leave empty files in it.
    if (entry.isFile()) flush(path);
  }
}

function flush(path: string): void {
  const file = fs.openSync(path, 'r');
  fs.fsyncSync(file);
  fs.closeSync(file);
}
