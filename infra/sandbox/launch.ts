import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { confinement } from '#infra/sandbox/confinement.ts';
import type { HostSettings } from '#infra/sandbox/settings.ts';

const projectDirectory = fileURLToPath(new URL('../../', import.meta.url));
/** What the host itself is made of. Not the whole directory: by default the service keeps its keys and data in there. */
const readable = [
  'infra/sandbox',
  'src/tenantCode/modules.ts',
  'packages/catalog.json',
  'packages/modules.pack',
  'node_modules',
  'package.json',
];
const main = fileURLToPath(new URL('host/main.ts', import.meta.url));

/** Enough to find the programs that confine it; nothing of ours. */
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', TZ: 'UTC' };

export type Launched = {
  process: ChildProcess;
  /** Frames go both ways. */
  channel: Socket;
};

/**
 * Starts a host: no environment, no files but the program's own, no child processes, no network where the machine
 * lets us take it away, and the first to go when memory is short.
 */
export function launchHost(settings: HostSettings): Launched {
  const [command = '', ...confined] = confinement();
  const child = spawn(
    command,
    [
      ...confined,
      process.execPath,
      '--no-node-snapshot',
      '--permission',
      ...readable.map((path) => `--allow-fs-read=${join(projectDirectory, path)}`),
      // By which the loader of the addon tells C libraries apart.
      '--allow-fs-read=/etc/alpine-release',
      '--allow-addons',
      '--disable-warning=SecurityWarning',
      '--disable-warning=ExperimentalWarning',
      '--max-old-space-size=96',
      '--max-semi-space-size=2',
      '--disable-sigusr1',
      main,
      JSON.stringify(settings),
    ],
    { cwd: projectDirectory, env: environment, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  );
  if (child.pid !== undefined) {
    // Linux only; elsewhere there is nothing to do.
    writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => undefined);
  }
  return { process: child, channel: child.stdio[3] as Socket };
}
