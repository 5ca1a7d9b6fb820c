import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What a test file needs, by its name; `long` is what takes too long for every change. */
export const levels = ['unit', 'int', 'e2e', 'long'] as const;
export type Level = (typeof levels)[number];

const namePattern = /\.(unit|int|e2e|long)\.test\.ts$/;

/** The level in a test file's name. @throws when it has none */
export function levelOf(path: string): Level {
  const level = namePattern.exec(path)?.[1];
  if (level === undefined) {
    throw new Error(`${path} must end in .unit.test.ts, .int.test.ts, .e2e.test.ts or .long.test.ts`);
  }
  return level as Level;
}

/** Paths of the test files below `test/` of these levels that contain one of the words, or all without words. */
export async function findTestFiles(wanted: readonly Level[], words: readonly string[]): Promise<string[]> {
  const names = await readdir('test', { recursive: true });
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter((path) => wanted.includes(levelOf(path)))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .sort();
}
