import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyDirectory } from '#test/support/preparedCluster.ts';
import { counted } from '#test/support/helperCosts.ts';
import { newDataDirectory, startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

/**
 * A data directory in which the service was started and ended once, so that it starts as an old one does: a copy of
 * one that the files of a run share. In a file that is run by itself it is an empty one. Not for tests of first
 * starts, nor for a log or a database that lies elsewhere.
 */
export async function newPreparedDirectory(): Promise<string> {
  const directory = await newDataDirectory();
  await prepareDirectory(directory);
  return directory;
}

/** Puts what a first start makes into an empty directory, which is made where there is none. */
export async function prepareDirectory(directory: string): Promise<void> {
  const shared = process.env['TEST_RUN_DIRECTORY'];
  await mkdir(directory, { recursive: true });
  if (shared === undefined) return;
  await counted('prepared directory', async () => {
    const original = await originalIn(shared);
    // With the dot, its content and not itself.
    await copyDirectory(`${original}/.`, directory);
  });
}

/** The first file of a run that wants one makes it; others wait for it. */
async function originalIn(shared: string): Promise<string> {
  const path = join(shared, 'prepared');
  const ready = join(shared, 'prepared.ready');
  const mine = await mkdir(path).then(
    () => true,
    () => false,
  );
  if (mine) {
    await (await startService(path)).end();
    await writeFile(ready, '');
  }
  await until(
    () =>
      access(ready).then(
        () => true,
        () => false,
      ),
    120_000,
  );
  return path;
}
