import { suite } from 'uvu';
import type { Test } from 'uvu';
import { newDataDirectory, removeDataDirectory } from '#test/support/service.ts';

/** Each of its tests has a directory for the data of services: an empty one, or what `make` makes. */
export function directorySuite(name: string, make = newDataDirectory): Test<{ directory: string }> {
  const tests = suite<{ directory: string }>(name);
  tests.before.each(async (context) => {
    context.directory = await make();
  });
  tests.after.each(({ directory }) => removeDataDirectory(directory));
  return tests;
}
