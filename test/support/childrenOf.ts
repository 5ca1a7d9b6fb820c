import { execFileSync } from 'node:child_process';
import type { ServiceProcess } from '#test/support/service.ts';

/** Processes that the service has started from this file, by process id. */
export function childrenOf({ child }: ServiceProcess, file: string): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args=']).toString();
  return listed.split('\n').flatMap((line) => {
    const [pid, ppid, ...words] = line.trim().split(/\s+/);
    return Number(ppid) === child.pid && words.join(' ').includes(file) ? [Number(pid)] : [];
  });
}
