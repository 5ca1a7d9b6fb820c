import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { hostFiles, libraryMark, projectDirectory } from '#infra/sandbox/hostFiles.ts';

/** How hosts are kept from what is not theirs, beyond what Node's own permissions refuse. */
export type Confinement = {
  /** A command and its arguments that run what follows them with less than it would have. */
  command: readonly string[];
  /**
   * Native code in a host, too, has no way to the service's files, sockets, memory or signals: it runs as another user,
   * or sees nothing of the machine but what it is made of.
   */
  isComplete: boolean;
  /** No program that a host starts can have more rights than the host. */
  keepsPrivileges: boolean;
};

type Candidate = { command: readonly string[]; isComplete: boolean };

let chosen: Confinement | undefined;

const limits = ['/bin/sh', '-c', 'ulimit -c 0; ulimit -f 0; exec nice -n 15 "$@"', 'sh'];

/** What this machine has to confine a host by. */
export function confinement(): Confinement {
  chosen ??= choose();
  return chosen;
}

function choose(): Confinement {
  const isRoot = process.getuid?.() === 0;
  const { command, isComplete } = (isRoot ? ofRoot : ofOthers).find(({ command }) => works(command)) ?? {
    command: [],
    // Each host becomes a user of its own.
    isComplete: isRoot,
  };
  const isWrapped = command[0] === 'bwrap';
  // With bubblewrap nobody gets new privileges, and some systems lend it the privilege that it begins with.
  const guard = isWrapped ? [] : (noNewPrivileges.find((each) => works([...command, ...each])) ?? []);
  return {
    command: [...limits, ...command, ...guard],
    isComplete,
    keepsPrivileges: isWrapped || guard.length > 0,
  };
}

/** Of util-linux, and of BusyBox. */
const noNewPrivileges: readonly (readonly string[])[] = [
  ['setpriv', '--no-new-privs'],
  ['setpriv', '--nnp'],
];

const readOnly = (path: string): string[] => (existsSync(path) ? ['--ro-bind', path, path] : []);

/** A root with nothing in it but Node, the libraries of the system, and what a host is made of. */
const bubblewrap = (sight: readonly string[]): Candidate => ({
  command: [
    ...['bwrap', '--unshare-all', '--new-session', '--die-with-parent', '--cap-drop', 'ALL'],
    ...['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/etc/ld.so.cache', libraryMark].flatMap(readOnly),
    ...[process.execPath, ...hostFiles].flatMap(readOnly),
    ...[...sight, '--dev', '/dev', '--chdir', projectDirectory, '--'],
  ],
  isComplete: true,
});

/** A shell is the first process of the new space: the first cannot end itself. */
const asChild = ['/bin/sh', '-c', '"$@"; exit $?', 'sh'];

/** Root would lose the right to become another user in a space of users; as another user it reaches nothing of ours. */
const ofRoot: readonly Candidate[] = [{ command: ['unshare', '--net', '--ipc', '--uts'], isComplete: true }];

/** Without bubblewrap files and sockets of the service's user stay within reach of native code. */
const ofOthers: readonly Candidate[] = [
  bubblewrap(['--proc', '/proc']),
  // Containers that hide parts of /proc let nobody mount another one. Hosts can do without.
  bubblewrap([]),
  {
    command: [
      ...['unshare', '--user', '--net', '--ipc', '--uts', '--pid', '--mount-proc', '--fork'],
      ...['--kill-child', '--', ...asChild],
    ],
    isComplete: false,
  },
  { command: ['unshare', '--user', '--net', '--ipc', '--uts'], isComplete: false },
];

/** Containers often have the programs, and not the rights that they need. */
function works([command = '', ...parameters]: readonly string[]): boolean {
  const node = [process.execPath, '--version'];
  const { status } = spawnSync(command, [...parameters, ...node], {
    cwd: dirname(process.execPath),
    stdio: 'ignore',
    timeout: 5_000,
    env: hostEnvironment,
  });
  return status === 0;
}

/** Enough to find the programs that confine it; nothing of ours. */
export const hostEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', TZ: 'UTC' };
