import { join } from 'node:path';
import { readPostmasterFile } from '#infra/postgres/embedded/postmasterFile.ts';

/** The process id of the PostgreSQL of a data directory. */
export async function postmasterOf(directory: string): Promise<number> {
  const found = await readPostmasterFile(join(directory, 'postgres'));
  if (found === undefined) throw new Error('no PostgreSQL was found');
  return found.pid;
}
