import { readdir, readFile, stat } from 'node:fs/promises';
import { waitUntil } from '#infra/postgres/embedded/waitUntil.ts';
import { errno } from '#src/errno.ts';
import { run } from '#infra/postgres/embedded/run.ts';

/** Whether a process has this id; also true of one that has ended and whose parent has not noticed. */
export function isAlive(pid: number): boolean {
  return signal(pid, 0);
}

/** Sends a signal; false when there is no such process. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    return errno(error) === 'EPERM';
  }
}

/**
 * Ids of the Postgres processes, postmaster or not, that work in this cluster. Process ids are reused, and
 * after a crash or in a fresh container `postmaster.pid` may name anybody: what tells is the directory that
 * a process works in. Where there is no /proc, only the given candidate can be judged, by its command line.
 */
export async function postgresProcesses(cluster: string, candidate: number): Promise<number[]> {
  if (process.platform !== 'linux') {
    return (await commandLine(candidate)).includes(`-D ${cluster}`) ? [candidate] : [];
  }
  const directory = await stat(cluster, { bigint: true });
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const judged = await Promise.all(
    pids.map(async (pid) => {
      // Other people's processes, and those that end meanwhile, cannot be looked at: they are not ours.
      const works = await stat(`/proc/${pid}/cwd`, { bigint: true }).catch(() => undefined);
      if (works?.ino !== directory.ino || works.dev !== directory.dev) return false;
      const program = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      return program.trim() === 'postgres';
    }),
  );
  return pids.filter((_, index) => judged[index]).map(Number);
}

async function commandLine(pid: number): Promise<string> {
  return (await run('ps', ['-o', 'command=', '-p', String(pid)])).output;
}

/** Fast shutdown, then immediate shutdown, then the end; each with the milliseconds that it may take. */
const insistence: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/** Ends a postmaster, asking nicely first. */
export async function endPostmaster(pid: number, hasEnded: () => boolean | Promise<boolean>): Promise<void> {
  for (const [name, patience] of insistence) {
    signal(pid, name);
    if (await waitUntil(hasEnded, patience)) return;
  }
}
