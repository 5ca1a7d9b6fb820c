import { readFile } from 'node:fs/promises';

export type Child = { pid: number; command: string };

/** The processes that a process started and that still run. */
export async function childrenOf(pid: number): Promise<Child[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1')).trim();
  const pids = children.split(' ').filter(Boolean).map(Number);
  return Promise.all(
    pids.map(async (child) => ({
      pid: child,
      command: (await readFile(`/proc/${child}/cmdline`, 'latin1')).replaceAll('\0', ' '),
    })),
  );
}
