import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchHost } from '#infra/sandbox/launch.ts';
import type { Launched } from '#infra/sandbox/launch.ts';
import { startSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';
import { until } from '#test/support/until.ts';

const test = suite('hostile: the host process');
const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;

const settings = {
  isolateMegabytes: 64,
  contextCalls: 10,
  idleIsolates: 1,
  resultLength: 1_000,
  thrownLength: 1_000,
  logLines: 1,
  logLength: 100,
  pending: 1,
};

const procOf = (host: Launched, file: string): string =>
  readFileSync(`/proc/${String(host.process.pid)}/${file}`, 'latin1');

/** A host that is ready, and its command line from the program that runs it on. */
async function launch(): Promise<{ host: Launched; command: string[] }> {
  const host = launchHost(settings);
  await new Promise((resolve) => host.channel.once('data', resolve));
  const words = procOf(host, 'cmdline').split('\0');
  return { host, command: words.slice(words.indexOf(process.execPath), -1) };
}

async function end({ process: child, channel }: Launched): Promise<void> {
  channel.on('error', () => undefined);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
}

test('given a host, when it runs, then it has nothing of our environment, and is not who we are', async () => {
  if (!isLinux) return;
  process.env['HOLDFAST_ROOT_KEY_OF_TEST'] = 'canary';
  const { host } = await launch();
  const environment = procOf(host, 'environ').split('\0').filter(Boolean);
  // The shell that confines it adds where it is.
  const names = environment
    .map((entry) => entry.split('=')[0])
    .filter((name) => name !== 'PWD' && name !== '_');
  assert.equal(names.sort(), ['PATH', 'TZ']);
  const status = procOf(host, 'status');
  const uids = (/^Uid:\s+(.*)$/m.exec(status)?.[1] ?? '').split(/\s+/).map(Number);
  if (isRoot) {
    assert.ok(
      uids.every((uid) => uid > 1_000),
      String(uids),
    );
    assert.match(status, /^Groups:\s*$/m);
    assert.match(status, /^CapEff:\s+0+$/m);
  }
  await end(host);
});

test('given the flags of a host, when a program in its place looks for files and processes, then it gets none', async () => {
  if (!isLinux) return;
  const { host, command } = await launch();
  const flags = command.filter((word) => word.startsWith('--'));
  assert.ok(flags.includes('--permission'), flags.join(' '));
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const probe = `
    const refused = [];
    const tries = {
      passwd: () => require('fs').readFileSync('/etc/passwd'),
      environment: () => require('fs').readFileSync('/proc/' + process.ppid + '/environ'),
      keys: () => require('fs').readFileSync('${root}.holdfast/root.key'),
      git: () => require('fs').readFileSync('${root}.git/config'),
      written: () => require('fs').writeFileSync('/tmp/holdfast-written-by-a-host', 'x'),
      child: () => require('child_process').spawnSync('/bin/true'),
      thread: () => new (require('worker_threads').Worker)('1', { eval: true }),
    };
    for (const [name, attempt] of Object.entries(tries))
      try { attempt(); process.stdout.write(name + ' worked; ') } catch (error) { if (error.code !== 'ERR_ACCESS_DENIED') process.stdout.write(name + ' ' + error.code + '; ') }
    process.stdout.write('done');`;
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', probe], {
    encoding: 'utf8',
    env: {},
  });
  assert.is(stdout, 'done', stderr);
  await end(host);
});

test('given two hosts, when they run, then each is another user where we may, and none can signal the other', async () => {
  if (!isLinux) return;
  const hosts = [(await launch()).host, (await launch()).host];
  const [one = '', other = ''] = hosts.map((host) => /^Uid:\s+(\d+)/m.exec(procOf(host, 'status'))?.[1]);
  assert.is(one !== other, isRoot);
  if (isRoot) {
    const target = String(hosts[1]?.process.pid);
    const attempt = `try { process.kill(${target}, 0); process.exitCode = 1 } catch (e) { process.exitCode = e.code === "EPERM" ? 0 : 2 }`;
    const signal = spawnSync(process.execPath, ['-e', attempt], {
      uid: Number(one),
      gid: Number(one),
      env: {},
    });
    assert.is(signal.status, 0);
  }
  for (const host of hosts) await end(host);
});

test('given a host that is killed, when its tenant calls again, then another one answers, and others notice nothing', async () => {
  if (!isLinux) return;
  const sandbox = startSandbox({ milliseconds: 5_000, settings: { spareHosts: 0 } });
  const code =
    'module.exports = async (req) => { await new Promise((d) => setTimeout(d, req.args.ms)); return { raw: 1 } };';
  const before = childrenOf(process.pid);
  assert.is(await sandbox.rawOf(code, { ms: 1 }, 'one'), 1);
  const [hostOfOne] = childrenOf(process.pid).filter((pid) => !before.includes(pid));
  const [lost, kept] = [
    sandbox.runCode(code, { ms: 1_500 }, 'one'),
    sandbox.runCode(code, { ms: 1_500 }, 'two'),
  ];
  await until(() => childrenOf(process.pid).length >= before.length + 2);
  process.kill(hostOfOne ?? 0, 'SIGKILL');
  assert.is((await lost).outcome.kind, 'crashed');
  assert.is(await sandbox.rawOf(code, { ms: 1 }, 'one'), 1);
  assert.is((await kept).outcome.kind, 'returned');
  await sandbox.close();
});

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
}

test.run();
