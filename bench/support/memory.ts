import { readdir, readFile } from 'node:fs/promises';

/** The most that a process ever held, in MB; 0 when it is gone, or the system does not tell. */
export async function peakMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024);
}

/** The most that any API process of a service ever held, in MB. */
export const peakMemoryOfApi = (pid: number): Promise<number> => peakMemoryOf(pid, 'apiProcess');

/** The most that the worker of a service ever held, in MB. */
export const peakMemoryOfWorker = (pid: number): Promise<number> => peakMemoryOf(pid, 'updaterProcess');

async function peakMemoryOf(pid: number, program: string): Promise<number> {
  const running = await childrenRunning(pid, program);
  return Math.max(0, ...(await Promise.all(running.map(peakMemory))));
}

/** Children of a process that run a program, by pid. */
export async function childrenRunning(pid: number, program: string): Promise<number[]> {
  const children = await childrenOf(pid);
  const commands = await Promise.all(
    children.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
  );
  return children.filter((_, index) => commands[index]?.includes(program));
}

/** What all processes under one hold that run code of reactors, in MB; pages that they share count once. */
export async function memoryOfHosts(pid: number): Promise<number> {
  let sum = 0;
  for (const each of await descendants(pid)) {
    const command = await readFile(`/proc/${each}/cmdline`, 'utf8').catch(() => '');
    if (!command.includes('sandbox/host/main')) continue;
    const rollup = await readFile(`/proc/${each}/smaps_rollup`, 'utf8').catch(() => '');
    sum += Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1_024;
  }
  return Math.round(sum);
}

async function descendants(pid: number): Promise<number[]> {
  const children = await childrenOf(pid);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

/** Of all its threads. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const listed = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  return listed
    .flatMap((line) => line.trim().split(/\s+/))
    .filter((child) => child !== '')
    .map(Number);
}
