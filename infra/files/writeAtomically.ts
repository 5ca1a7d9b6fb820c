import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';

/** Replaces a file so that a reader sees the old text or the new one, never half of it. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, path);
}
