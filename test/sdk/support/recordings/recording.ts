import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The kinds of members, by path: `pagination.total_items`, `data[].id`; `$` is the whole. */
export type Shape = Readonly<Record<string, string>>;

/** One request as a client sent it, and what it needs of the answer. */
export type Exchange = {
  n: number;
  ask: { method: string; path: string; headers: Readonly<Record<string, string>>; body?: string };
  want: {
    status: number;
    /** The media type. */
    type?: string;
    /** Which of the shapes. */
    shape?: number;
    /** Members of a problem. */
    members?: readonly string[];
  };
};

/** All that one client sent in one run, in its order. */
export type Recording = {
  client: string;
  what: string;
  shapes: readonly Shape[];
  exchanges: readonly Exchange[];
};

const directory = 'test/sdk/recordings';

/** Every recording there is, by the name of its file. */
export async function readRecordings(): Promise<Map<string, Recording>> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.json')).sort();
  const read = async (name: string): Promise<[string, Recording]> => [
    name,
    JSON.parse(await readFile(join(directory, name), 'utf8')) as Recording,
  ];
  return new Map(await Promise.all(names.map(read)));
}
