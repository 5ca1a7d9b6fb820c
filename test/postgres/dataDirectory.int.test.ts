import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDataDirectory } from '#infra/postgres/embedded/dataDirectory.ts';
import { run } from '#infra/postgres/embedded/run.ts';
import { startEmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import { StartupError } from '#src/startupError.ts';
import { ask, isRoot, ordinaryUser, temporaryDirectory } from '#test/support/embedded/helpers.ts';
import type { TemporaryDirectory } from '#test/support/embedded/helpers.ts';
import { startOwner, whenOwned, whenRefused } from '#test/support/embedded/startOwner.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

const dataDirectories = suite('data directory');

let home: TemporaryDirectory;

dataDirectories.before.each(async () => {
  home = await temporaryDirectory();
});

dataDirectories.after.each(async () => {
  await home.remove();
});

/** The one sentence that a start in this directory is refused with. */
async function refusal(dataDirectory: string): Promise<string> {
  try {
    const postgres = await startEmbeddedPostgres({ dataDirectory, logger: silentLogger });
    await postgres.stop();
  } catch (error) {
    assert.instance(error, StartupError);
    if (error instanceof StartupError) return error.message;
  }
  throw new Error('it started');
}

dataDirectories('given a file, when used as data directory, then one sentence says so', async () => {
  const file = join(home.path, 'file');
  await writeFile(file, '');
  assert.is(await refusal(file), `the data directory ${file} is a file`);
  assert.match(await refusal(join(file, 'below')), 'a part of the path is a file');
});

dataDirectories('given a place where nothing can be made, when used, then one sentence says so', async () => {
  assert.match(await refusal('/sys/holdfast'), '/sys/holdfast cannot be made: ');
});

dataDirectories(
  'given a directory that cannot be written, when used, then one sentence says so',
  async () => {
    assert.match(await refusal('/sys/kernel'), '/sys/kernel cannot be written: ');
  },
);

dataDirectories('given a directory of a newer Holdfast, when used, then it is refused', async () => {
  await writeFile(join(home.path, 'holdfast.json'), '{"format":2}');
  assert.match(await refusal(home.path), 'made by a newer Holdfast');
  assert.is(await readFile(join(home.path, 'holdfast.json'), 'utf8'), '{"format":2}');
});

dataDirectories('given a damaged format file, when used, then it is refused', async () => {
  await writeFile(join(home.path, 'holdfast.json'), '{}');
  assert.match(await refusal(home.path), 'does not say the format');
  await writeFile(join(home.path, 'holdfast.json'), '{');
  assert.match(await refusal(home.path), 'cannot be read');
});

dataDirectories('given a cluster of another major version, when used, then it is refused', async () => {
  await mkdir(join(home.path, 'postgres'));
  await writeFile(join(home.path, 'postgres', 'PG_VERSION'), '17\n');
  assert.match(await refusal(home.path), 'was made by PostgreSQL 17');
});

dataDirectories('given files that are no cluster, when used, then they are left alone', async () => {
  await mkdir(join(home.path, 'postgres'));
  await writeFile(join(home.path, 'postgres', 'thesis.txt'), 'mine');
  assert.match(await refusal(home.path), 'holds files, but no PostgreSQL cluster');
  assert.is(await readFile(join(home.path, 'postgres', 'thesis.txt'), 'utf8'), 'mine');
});

dataDirectories('given a new directory, when opened, then it says its format', async () => {
  const { path } = await openDataDirectory(join(home.path, 'new', 'data'));
  assert.is(await readFile(join(path, 'holdfast.json'), 'utf8'), '{"format":1}\n');
});

dataDirectories('given a broken setting, when started, then the sentence holds the reason', async () => {
  const dataDirectory = join(home.path, 'data');
  const postgres = await startEmbeddedPostgres({ dataDirectory, logger: silentLogger });
  await postgres.stop();
  await writeFile(join(dataDirectory, 'postgres', 'postgresql.conf'), 'shared_buffers = lots\n');
  const sentence = await refusal(dataDirectory);
  assert.match(sentence, 'PostgreSQL does not start: ');
  assert.match(sentence, 'postgresql.conf');
});

dataDirectories(
  'given a data directory that was moved or copied, when started, then it works there',
  async () => {
    const original = join(home.path, 'original');
    const first = await startEmbeddedPostgres({ dataDirectory: original, logger: silentLogger });
    await ask(first.connection, 'create table kept as select 7 as value');
    await first.stop();
    const copy = join(home.path, 'copy');
    assert.is((await run('cp', ['-a', original, copy])).failure, undefined);
    const [one, two] = await Promise.all(
      [original, copy].map((dataDirectory) => startEmbeddedPostgres({ dataDirectory, logger: silentLogger })),
    );
    assert.is(await ask(one?.connection ?? {}, 'select value from kept'), 7);
    assert.is(await ask(two?.connection ?? {}, 'select value from kept'), 7);
    await Promise.all([one?.stop(), two?.stop()]);
  },
);

// The other user's process runs this checkout, which may lie where only root may enter.
const nobody = { uid: ordinaryUser, gid: ordinaryUser };
const { failure: closed } = await run(process.execPath, ['--check', import.meta.filename], nobody);
const asRoot = isRoot && closed === undefined ? dataDirectories : dataDirectories.skip;

asRoot('given an ordinary user, when started, then Postgres runs as this user', async () => {
  await chown(home.path, ordinaryUser, ordinaryUser);
  const owner = startOwner(home.path, { uid: ordinaryUser });
  const { connection } = await whenOwned(owner);
  assert.is(await ask(connection, 'select 1'), 1);
  await owner.kill('SIGTERM');
  // Root takes over what an ordinary user began, and leaves it usable for that user.
  const asRootNow = await startEmbeddedPostgres({ dataDirectory: home.path, logger: silentLogger });
  assert.is(await ask(asRootNow.connection, 'select 1'), 1);
  await asRootNow.stop();
});

asRoot('given a directory of root, when an ordinary user starts, then one sentence says so', async () => {
  await chmod(home.path, 0o755);
  const owner = startOwner(home.path, { uid: ordinaryUser });
  assert.match((await whenRefused(owner)).message, 'cannot be written: permission denied');
});

dataDirectories.run();
