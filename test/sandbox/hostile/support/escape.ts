/**
 * A service, as far as a host could want something of it, and in the place of its host a program that has left Node's
 * permissions behind, as native code would. Says on standard output how hosts are confined, what the program got, and
 * what code in a true host does. It is started as the user that the service runs as.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { confinement, hostEnvironment } from '#infra/sandbox/confinement.ts';
import { projectDirectory } from '#infra/sandbox/hostFiles.ts';
import { startSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';

export type Escape = {
  isComplete: boolean;
  keepsPrivileges: boolean;
  /** What the program could do, by name. */
  got: string[];
  /** Of its own process. */
  status: string;
  returned: unknown;
  filled: string;
};

const directory = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
const secret = join(directory, 'root.key');
await writeFile(secret, 'secret', { mode: 0o600 });
const sockets = [createServer().listen(join(directory, 'socket')), createServer().listen(0, '127.0.0.1')];
await Promise.all(sockets.map((server) => once(server, 'listening')));
const { port } = sockets[1]?.address() as AddressInfo;

const program = `
  const fs = require('node:fs'), net = require('node:net'), got = [];
  const { secret, directory, port, service, identity } = JSON.parse(process.argv[1]);
  const reach = (to) => new Promise((done, fail) => net.connect(to, done).on('error', fail));
  const tries = {
    file: () => fs.readFileSync(secret),
    writing: () => fs.writeFileSync(directory + '/written', ''),
    source: () => fs.readFileSync(process.cwd() + '/test/run.ts'),
    socket: () => reach({ path: directory + '/socket' }),
    network: () => reach({ port, host: '127.0.0.1' }),
    environment: () => fs.readFileSync('/proc/' + service + '/environ'),
    memory: () => fs.openSync('/proc/' + service + '/mem', 'r+'),
    'open files': () => fs.readdirSync('/proc/' + service + '/fd'),
    signal: () => process.kill(service, 0),
  };
  (async () => {
    if (process.getuid() === 0) (await import(identity)).dropPrivileges();
    for (const [name, attempt] of Object.entries(tries)) await Promise.resolve().then(attempt).then(() => got.push(name), () => {});
    const status = fs.readFileSync('/proc/self/status', 'latin1');
    process.stdout.write(JSON.stringify({ got, status }), () => process.exit());
  })();`;

const { command, isComplete, keepsPrivileges } = confinement();
const [shell = '', ...words] = command;
const told = {
  secret,
  directory,
  port,
  service: process.pid,
  identity: join(projectDirectory, 'infra/sandbox/host/identity.ts'),
};
const child = spawn(shell, [...words, process.execPath, '-e', program, JSON.stringify(told)], {
  cwd: projectDirectory,
  env: hostEnvironment,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const said = JSON.parse(await text(child.stdout)) as Pick<Escape, 'got' | 'status'>;

// What is measured is the host, not what confines it.
const sandbox = startSandbox({ settings: { spareHosts: 0, hostMegabytes: 110 } });
const returned = await sandbox.rawOf('module.exports = async (req) => ({ raw: req.args.n + 1 });', { n: 1 });
const filling = `module.exports = async () => {
  const all = Array.from({ length: 6 }, () => Buffer.alloc(2 ** 24, 1));
  await new Promise((done) => setTimeout(done, 15000));
  return { raw: all.length };
};`;
const { outcome } = await sandbox.runCode(filling);
await sandbox.close();

for (const server of sockets) server.close();
await rm(directory, { recursive: true, force: true });
const found: Escape = { isComplete, keepsPrivileges, ...said, returned, filled: outcome.kind };
process.stdout.write(JSON.stringify(found));
process.exit();
