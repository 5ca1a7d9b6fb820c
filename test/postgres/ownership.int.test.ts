import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectToDataDirectory } from '#infra/postgres/embedded/connect.ts';
import { DataDirectoryInUse } from '#infra/postgres/embedded/dataDirectoryInUse.ts';
import { postgresProcesses } from '#infra/postgres/embedded/processes.ts';
import { ask, askPatiently, eventually, temporaryDirectory } from '#test/support/embedded/helpers.ts';
import type { TemporaryDirectory } from '#test/support/embedded/helpers.ts';
import { startOwner, whenOwned, whenRefused } from '#test/support/embedded/startOwner.ts';
import type { OwnerProcess } from '#test/support/embedded/startOwner.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

const ownership = suite('ownership of the data directory');

let home: TemporaryDirectory;
let dataDirectory: string;
let owner: OwnerProcess;

ownership.before(async () => {
  home = await temporaryDirectory();
  dataDirectory = join(home.path, 'data');
});

ownership.after(async () => {
  await owner.kill('SIGKILL').catch(() => undefined);
  await eventually(async () => (await running()).length === 0);
  await home.remove();
});

const running = (): Promise<number[]> => postgresProcesses(join(dataDirectory, 'postgres'), 0);

ownership(
  'given an empty directory, when two start at once, then one wins and the other names it',
  async () => {
    const contenders = [startOwner(dataDirectory), startOwner(dataDirectory)];
    const answers = await Promise.all(contenders.map((contender) => contender.answer));
    const winner = contenders.findIndex((_, index) => !('refused' in (answers[index] ?? {})));
    owner = contenders[winner] ?? startOwner(dataDirectory);
    const loser = contenders[1 - winner] ?? owner;
    const refusal = await whenRefused(loser);
    assert.is(refusal.refused, 'DataDirectoryInUse');
    assert.is(refusal.owner, owner.pid);
    assert.match(refusal.message, `process id ${owner.pid}`);
    const { connection } = await whenOwned(owner);
    await ask(connection, 'create table kept as select 7 as value');
  },
);

ownership('given an owner, when another starts, then it is refused and the owner unharmed', async () => {
  const { connection, postmaster } = await whenOwned(owner);
  const before = await ask(connection, 'select pg_postmaster_start_time()::text');
  const refusal = await whenRefused(startOwner(dataDirectory));
  assert.is(refusal.owner, owner.pid);
  assert.is(await ask(connection, 'select pg_postmaster_start_time()::text'), before);
  assert.ok((await running()).includes(postmaster));
});

ownership('given an owner, when a command connects, then it borrows the running server', async () => {
  const { connection } = await whenOwned(owner);
  const borrowed = await connectToDataDirectory(dataDirectory, silentLogger);
  assert.equal(borrowed.connection, connection);
  await borrowed.close();
  assert.is(await ask(connection, 'select value from kept'), 7);
});

ownership(
  'given Ctrl-C in the terminal of the owner, when it drains, then Postgres still answers',
  async () => {
    const { connection, postmaster } = await whenOwned(owner);
    await owner.kill('SIGINT');
    assert.is(await ask(connection, 'select value from kept'), 7);
    assert.ok((await running()).includes(postmaster));
  },
);

ownership('given an owner, when it is killed, then no Postgres is left', async () => {
  const { connection } = await whenOwned(owner);
  await owner.kill('SIGKILL');
  await eventually(async () => (await running()).length === 0);
  await eventually(() => !existsSync(String(connection.host)));
});

ownership('given a killed owner, when another starts at once, then it comes up with the data', async () => {
  owner = startOwner(dataDirectory);
  await whenOwned(owner);
  await owner.kill('SIGKILL');
  owner = startOwner(dataDirectory);
  const { connection } = await whenOwned(owner);
  assert.is(await askPatiently(connection, 'select value from kept'), 7);
});

ownership('given owner and Postgres killed at once, when another starts, then it comes up', async () => {
  const { postmaster } = await whenOwned(owner);
  process.kill(postmaster, 'SIGKILL');
  await owner.kill('SIGKILL');
  owner = startOwner(dataDirectory);
  const { connection } = await whenOwned(owner);
  assert.is(await askPatiently(connection, 'select value from kept'), 7);
});

ownership('given a killed watchdog, when the owner is killed too, then a start ends the orphan', async () => {
  const { postmaster, connection } = await whenOwned(owner);
  // Stopped, it does nothing, and the owner does not notice.
  const watchdog = await watchdogOf(String(connection.host));
  process.kill(watchdog, 'SIGSTOP');
  await owner.kill('SIGKILL');
  process.kill(watchdog, 'SIGKILL');
  assert.ok((await running()).includes(postmaster));
  owner = startOwner(dataDirectory);
  const next = await whenOwned(owner);
  assert.is(await ask(next.connection, 'select value from kept'), 7);
  assert.is((await running()).includes(postmaster), false);
});

ownership('given an owner, when its watchdog is killed, then it gets another one', async () => {
  const { connection } = await whenOwned(owner);
  const host = String(connection.host);
  const killed = await watchdogOf(host);
  process.kill(killed, 'SIGKILL');
  await eventually(async () => (await watchdogOf(host).catch(() => killed)) !== killed);
  await owner.kill('SIGKILL');
  await eventually(async () => (await running()).length === 0);
});

ownership('given a postmaster.pid that names somebody else, when started, then it comes up', async () => {
  const file = join(dataDirectory, 'postgres', 'postmaster.pid');
  await writeFile(file, `${process.pid}\n/proc/self/cwd\n1\n5432\n/tmp/none\n\n  1 1\nready\n`);
  owner = startOwner(dataDirectory);
  const { connection } = await whenOwned(owner);
  assert.is(await ask(connection, 'select value from kept'), 7);
});

ownership('given no service, when commands connect, then the first one has a server to itself', async () => {
  await owner.kill('SIGTERM');
  assert.equal(await running(), []);
  const first = await connectToDataDirectory(dataDirectory, silentLogger);
  assert.is(await ask(first.connection, 'select value from kept'), 7);
  const second = await connectToDataDirectory(dataDirectory, silentLogger).catch((error: unknown) => error);
  assert.instance(second, DataDirectoryInUse);
  const refusal = await whenRefused(startOwner(dataDirectory));
  assert.is(refusal.owner, process.pid);
  await first.close();
  assert.equal(await running(), []);
});

ownership('given an initdb that was interrupted, when started, then nothing of it is left', async () => {
  const interrupted = await temporaryDirectory();
  const unfinished = join(interrupted.path, 'postgres.unfinished-abc');
  await mkdir(join(unfinished, 'base'), { recursive: true });
  const starting = startOwner(interrupted.path);
  const { connection } = await whenOwned(starting);
  assert.is(await ask(connection, 'select 1'), 1);
  assert.is(existsSync(unfinished), false);
  await starting.kill('SIGTERM');
  await interrupted.remove();
});

ownership('given a start that is killed in the middle, when started again, then it comes up', async () => {
  const empty = await temporaryDirectory();
  const killed = startOwner(empty.path);
  killed.answer.catch(() => undefined);
  await eventually(() => existsSync(join(empty.path, 'owner.json')));
  await killed.kill('SIGKILL');
  const next = startOwner(empty.path);
  const { connection } = await whenOwned(next);
  assert.is(await ask(connection, 'select 1'), 1);
  await next.kill('SIGTERM');
  await empty.remove();
});

/** The process whose command line holds both the watchdog's name and the socket directory. */
async function watchdogOf(socketDirectory: string): Promise<number> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (words.includes('holdfast-watchdog') && words.includes(socketDirectory)) return Number(pid);
  }
  throw new Error('there is no watchdog');
}

ownership.run();
