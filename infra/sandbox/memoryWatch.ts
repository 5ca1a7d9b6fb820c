import { readFileSync } from 'node:fs';
import type { Host } from '#infra/sandbox/host.ts';
import type { SandboxSettings } from '#infra/sandbox/settings.ts';

type Watched = {
  all(): readonly Host[];
  idleLongest(): Host | undefined;
  retire(host: Host): void;
};

/** Milliseconds. An isolate fills about a megabyte in one. */
const interval = 100;
const pageBytes = 4_096;
const megabyte = 1024 * 1024;

/**
 * Kills hosts that hold more than they may: an isolate's own limit does not count everything. Where the system does
 * not tell what a process holds (anywhere but on Linux), that limit is all there is.
 */
export function watchMemory(
  { hostMegabytes, totalMegabytes }: Pick<SandboxSettings, 'hostMegabytes' | 'totalMegabytes'>,
  { all, idleLongest, retire }: Watched,
): { stop(): void } {
  const timer = setInterval(() => {
    const held = all().map((host) => ({ host, megabytes: megabytesOf(host.pid) }));
    for (const { host, megabytes } of held) {
      if (megabytes > hostMegabytes) host.kill('out_of_memory');
    }
    const total = held.reduce((sum, { megabytes }) => sum + megabytes, 0);
    if (total <= totalMegabytes) return;
    const idle = idleLongest();
    const [largest] = held.sort((one, other) => other.megabytes - one.megabytes);
    if (idle !== undefined) retire(idle);
    else largest?.host.kill('out_of_memory');
  }, interval);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
    },
  };
}

/**
 * What a host, with the processes that confine it, does not share with others, such as the program. Synchronously, for
 * these are reads from memory.
 */
function megabytesOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
    const own = ((Number(resident) - Number(shared)) * pageBytes) / megabyte;
    return childrenOf(pid).reduce((sum, child) => sum + megabytesOf(child), own);
  } catch {
    return 0;
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
