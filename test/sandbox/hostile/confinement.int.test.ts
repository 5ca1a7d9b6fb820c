import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Logger } from '#ports/logger.ts';
import { createSandbox } from '#infra/sandbox/sandbox.ts';
import { readConfig } from '#src/config.ts';
import { sandboxSettings } from '#src/main/sandboxSettings.ts';
import { failedAnswer } from '#src/reactors/problems.ts';
import type { Escape } from '#test/sandbox/hostile/support/escape.ts';
import { isRoot, ordinaryUser } from '#test/support/embedded/helpers.ts';

const test = suite('hostile: native code in a host');
const script = fileURLToPath(new URL('support/escape.ts', import.meta.url));

/** Of a service that this user runs; undefined: who runs the tests. */
async function escape(user?: number): Promise<Escape> {
  const child = spawn(process.execPath, [script], {
    // Where each user may make directories.
    env: { ...process.env, TMPDIR: '/tmp' },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(said) as Escape;
}

const as = isRoot ? { uid: ordinaryUser, gid: ordinaryUser } : {};
// The checkout may lie where only root may go.
const bubblewrap = ['--unshare-all', '--ro-bind', '/', '/', process.execPath, '--version'];
const hasBubblewrap = spawnSync('bwrap', bubblewrap, { stdio: 'ignore', ...as }).status === 0;
const hasSetpriv = spawnSync('setpriv', ['--no-new-privs', 'true'], { stdio: 'ignore' }).status === 0;

const whereRoot = isRoot && hasSetpriv ? test : test.skip;
const whereConfined = hasBubblewrap ? test : test.skip;

function assertNothing({ got, status, returned, filled, ...confined }: Escape, allowed: string[]): void {
  assert.equal(confined, { isComplete: true, keepsPrivileges: true });
  assert.equal(
    got.filter((name) => !allowed.includes(name)),
    [],
  );
  assert.match(status, /^NoNewPrivs:\t1$/m);
  assert.match(status, /^CapEff:\t0+$/m);
  assert.is(returned, 2);
  assert.is(filled, 'out_of_memory');
}

whereRoot(
  'given a service that is root, when native code in a host looks for its files, sockets, memory and processes, then it gets none',
  async () => {
    // Others may read the program; whether a network is there the machine says.
    assertNothing(await escape(), ['source', 'network']);
  },
);

whereConfined(
  'given a service that is an ordinary user, when native code in a host looks for the same, then it gets none',
  async () => {
    assertNothing(await escape(isRoot ? ordinaryUser : undefined), []);
  },
);

/** A sandbox on a machine that has nothing to confine hosts by, and what it says. */
function onBareMachine(runsUnconfined: boolean): {
  said: string[];
  sandbox: ReturnType<typeof createSandbox>;
} {
  const said: string[] = [];
  const say: Logger['warn'] = (_, message) => said.push(message);
  const logger: Logger = { debug: say, info: say, warn: say, error: say };
  const confine = () => ({ isComplete: false, keepsPrivileges: true });
  return { said, sandbox: createSandbox({ runsUnconfined, spareHosts: 0 }, logger, { confine }) };
}

const invocation = {
  program: {
    tenantId: 'tenant',
    id: 'program',
    version: '1',
    load: () =>
      Promise.resolve({
        code: 'module.exports = () => ({ raw: 1 });',
        configuration: {},
        hasApplication: false,
        returns: 'result' as const,
      }),
  },
  args: '{}',
  milliseconds: 20_000,
  serve: () => Promise.resolve({ failed: true, payload: '{}' }),
};

test('given settings, when they are for production, then code of tenants needs confinement unless the risk is accepted', () => {
  const runs = (environment: Record<string, string>): boolean | undefined =>
    sandboxSettings(readConfig(environment)).runsUnconfined;
  const accepted = { HOLDFAST_UNCONFINED_REACTORS: 'accept' };
  assert.is(runs({}), true);
  assert.is(runs({ NODE_ENV: 'production' }), false);
  assert.is(runs({ NODE_ENV: 'production', ...accepted }), true);
});

test('given a machine that confines nothing, when code is invoked, then it does not run unless that is accepted, and the log says so once', async () => {
  const refusing = onBareMachine(false);
  for (let time = 0; time < 2; time++) {
    const { outcome } = await refusing.sandbox.invoke(invocation);
    assert.is(outcome.kind, 'unconfined');
    if (outcome.kind === 'unconfined') assert.is(failedAnswer(outcome, 0).status, 503);
  }
  assert.equal(refusing.said, ['code of tenants does not run: nothing here confines it']);
  const accepting = onBareMachine(true);
  for (let time = 0; time < 2; time++) {
    assert.is((await accepting.sandbox.invoke(invocation)).outcome.kind, 'returned');
  }
  assert.equal(accepting.said.slice(0, 1), [
    'native code in a host could reach the files and sockets of the service',
  ]);
  await refusing.sandbox.close();
  await accepting.sandbox.close();
});

test.run();
