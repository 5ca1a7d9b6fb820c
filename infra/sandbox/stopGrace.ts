import { readFileSync } from 'node:fs';

/** Processor time that a host may use before it confirms that a call was stopped, in milliseconds. */
const grace = 250;
/** Timeout for that confirmation, however busy the machine is, in milliseconds. */
const longestGrace = 5_000;
/** What the system counts processor time in, in milliseconds: `sysconf(_SC_CLK_TCK)` is 100 wherever Node runs. */
const tick = 10;

/**
 * Calls `tooLate` when a process has had its chance to stop and has not. Its own processor time counts, where the
 * system tells it (Linux), so that a busy machine does not make a host look stuck, and end the other calls in it.
 * @returns ends the watch
 */
export function watchStop(pid: number | undefined, tooLate: () => void): () => void {
  const began = performance.now();
  const before = processorTime(pid);
  const check = (): void => {
    const passed = performance.now() - began;
    const now = processorTime(pid);
    const worked = before === undefined || now === undefined ? passed : now - before;
    if (worked + tick >= grace || passed >= longestGrace) tooLate();
    else timer = setTimeout(check, grace);
  };
  let timer = setTimeout(check, grace);
  return () => {
    clearTimeout(timer);
  };
}

/** What a process has used of the processors so far, in milliseconds. */
function processorTime(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tick;
  } catch {
    return undefined;
  }
}
