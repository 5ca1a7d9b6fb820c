import { watch } from 'node:fs';
import type { Options } from '#test/runner/options.ts';

/** Folders whose changes run the tests again. */
const watched = ['src', 'commands', 'queries', 'projections', 'infra', 'test'];

/** Changes that come together, as from a save of several files, count as one, in milliseconds. */
const calm = 100;

/** Runs unit tests now, and again at each change, until it is interrupted. Answers how the last run ended. */
export async function watchFiles(
  { words }: Options,
  signal: AbortSignal,
  run: (options: Options, signal: AbortSignal) => Promise<boolean>,
): Promise<boolean> {
  const options: Options = {
    levels: ['unit'],
    words,
    checks: false,
    bail: false,
    again: false,
    profile: false,
    watch: true,
  };
  let changed = Promise.withResolvers<unknown>();
  const watchers = watched.map((folder) =>
    watch(folder, { recursive: true }, () => {
      changed.resolve(undefined);
    }),
  );
  signal.addEventListener('abort', () => {
    changed.resolve(undefined);
  });
  let succeeded = true;
  while (!signal.aborted) {
    changed = Promise.withResolvers();
    succeeded = await run(options, signal);
    await changed.promise;
    await new Promise((resolve) => setTimeout(resolve, calm));
  }
  for (const watcher of watchers) watcher.close();
  return succeeded;
}
