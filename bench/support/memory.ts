import { readdir, readFile } from 'node:fs/promises';

/** The most that a process ever held, in MB; 0 when it is gone, or the system does not tell. */
export async function peakMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024);
}

/** The most that any API process of a service ever held, in MB. */
export async function peakMemoryOfApi(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const children = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  const peaks = children
    .flatMap((listed) => listed.trim().split(/\s+/))
    .filter((child) => child !== '')
    .map(async (child) => {
      const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
      return command.includes('apiProcess') ? peakMemory(Number(child)) : 0;
    });
  return Math.max(0, ...(await Promise.all(peaks)));
}
