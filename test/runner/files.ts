import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Paths of the test files below `test/` that contain one of the words, or all when there is no word. */
export async function findTestFiles(words: readonly string[]): Promise<string[]> {
  const names = await readdir('test', { recursive: true });
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .sort();
}
