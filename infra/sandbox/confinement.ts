import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';

/** A command and its arguments that run what follows them with less than it would have. */
export type Confinement = readonly string[];

let chosen: Confinement | undefined;

/**
 * What a host can be confined by on this machine, beyond what its own process does: limits of files and core dumps,
 * the lowest claim on the processor, and where the machine lets us, no network and no way to see other processes.
 */
export function confinement(): Confinement {
  chosen ??= ['/bin/sh', '-c', 'ulimit -c 0; ulimit -f 0; exec nice -n 15 "$@"', 'sh', ...(spaces() ?? [])];
  return chosen;
}

function spaces(): Confinement | undefined {
  const root = process.getuid?.() === 0;
  const candidates: Confinement[] = [
    // It keeps the file system readable, which the host's own permissions close.
    [
      'bwrap',
      '--unshare-all',
      '--die-with-parent',
      '--ro-bind',
      '/',
      '/',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
    ],
    ...(root ? [['unshare', '--net', '--ipc', '--uts']] : [['unshare', '--user', '--net', '--ipc', '--uts']]),
  ];
  // With bubblewrap root would lose the right to become another user.
  return candidates.slice(root ? 1 : 0).find((candidate) => works(candidate));
}

/** Containers often have the programs, and not the rights that they need. */
function works([command = '', ...parameters]: Confinement): boolean {
  const node = [process.execPath, '--version'];
  const { status } = spawnSync(command, [...parameters, ...node], {
    cwd: dirname(process.execPath),
    stdio: 'ignore',
    timeout: 5_000,
    env: {},
  });
  return status === 0;
}
