import { suite } from 'uvu';
import type { Test } from 'uvu';
import { newDataDirectory, removeDataDirectory } from '#test/support/service.ts';

/** Each of its tests has an empty directory for the data of services. */
export function directorySuite(name: string): Test<{ directory: string }> {
  const tests = suite<{ directory: string }>(name);
  tests.before.each(async (context) => {
    context.directory = await newDataDirectory();
  });
  tests.after.each(({ directory }) => removeDataDirectory(directory));
  return tests;
}
