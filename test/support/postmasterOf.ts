import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The process id of the PostgreSQL of a data directory. */
export async function postmasterOf(directory: string): Promise<number> {
  const text = await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}
