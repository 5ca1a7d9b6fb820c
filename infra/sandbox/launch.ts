import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { confinement, hostEnvironment } from '#infra/sandbox/confinement.ts';
import { hostFiles, libraryMark, projectDirectory } from '#infra/sandbox/hostFiles.ts';
import type { HostSettings } from '#infra/sandbox/settings.ts';

const main = fileURLToPath(new URL('host/main.ts', import.meta.url));

export type Launched = {
  process: ChildProcess;
  /** Frames go both ways. */
  channel: Socket;
};

/**
 * Starts a host: no environment, no files but the program's own, no child processes, no network and nothing else of the
 * machine where it lets us take that away, and the first to go when memory is short.
 */
export function launchHost(settings: HostSettings): Launched {
  const [command = '', ...confined] = confinement().command;
  const child = spawn(
    command,
    [
      ...confined,
      process.execPath,
      '--no-node-snapshot',
      '--permission',
      ...[...hostFiles, libraryMark].map((path) => `--allow-fs-read=${path}`),
      '--allow-addons',
      '--disable-warning=SecurityWarning',
      '--disable-warning=ExperimentalWarning',
      '--max-old-space-size=96',
      '--max-semi-space-size=2',
      '--disable-sigusr1',
      main,
      JSON.stringify(settings),
    ],
    { cwd: projectDirectory, env: hostEnvironment, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  );
  if (child.pid !== undefined) {
    // Linux only; elsewhere there is nothing to do. Processes that it starts have it from it.
    writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => undefined);
  }
  return { process: child, channel: child.stdio[3] as Socket };
}
