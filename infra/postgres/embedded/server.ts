import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import type { Identity } from '#infra/postgres/embedded/identity.ts';
import { cleanEnvironment } from '#infra/postgres/embedded/run.ts';
import { asParameters } from '#infra/postgres/embedded/settings.ts';
import type { Settings } from '#infra/postgres/embedded/settings.ts';
import { clusterName } from '#infra/postgres/embedded/cluster.ts';

/** How a server ended. */
export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** One run of the postmaster, from its start to its exit. */
export type Server = {
  readonly pid: number | undefined;
  /** Resolves when the process has ended, or could not be started; never rejects. */
  readonly exited: Promise<Exit>;
  hasExited(): boolean;
  /** The last thing that this run wrote to its log. */
  lastWords(): string;
};

export type ServerOptions = {
  program: string;
  cluster: string;
  log: string;
  identity: Identity | undefined;
  settings: Settings;
};

/** A log that has grown beyond this is set aside at the next start, in bytes. */
const logLimit = 8_000_000;

/** Starts a postmaster. It is in a session of its own: Ctrl-C in our terminal does not reach it. */
export function launchServer(options: ServerOptions): Server {
  const { program, cluster, identity, log } = options;
  const logSize = rotate(log);
  const output = openSync(log, 'a', 0o600);
  const child = spawn(program, ['-D', clusterName(cluster, identity), ...asParameters(options.settings)], {
    ...identity,
    cwd: cluster,
    env: cleanEnvironment,
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let ended = false;
  const exited = exitOf(child).then((exit) => {
    ended = true;
    return exit;
  });
  return {
    pid: child.pid,
    exited,
    hasExited: () => ended,
    lastWords: () => readFileSync(log).subarray(logSize).toString().trim().split('\n').at(-1) ?? '',
  };
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ code, signal });
    });
    child.once('error', () => {
      resolve({ code: null, signal: null });
    });
  });
}

/** Sets a large log aside; answers the size of the log that is written to now. */
function rotate(log: string): number {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size < logLimit) return size;
  renameSync(log, `${log}.1`);
  return 0;
}
