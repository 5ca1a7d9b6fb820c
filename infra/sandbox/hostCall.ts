import type { HostOutcome } from '#infra/sandbox/messages.ts';
import type { Served } from '#infra/sandbox/served.ts';
import type { Invocation, LogLine, SandboxOutcome, SandboxResult, Thrown } from '#ports/sandbox.ts';

/** One invocation in a host, as the service sees it. */
export type HostCall = {
  invocation: Invocation;
  logs: LogLine[];
  /** What the code waits for. */
  served: Served;
  timer: NodeJS.Timeout | undefined;
  resolve(result: SandboxResult): void;
  reject(error: unknown): void;
};

/** See the kernel's limits. */
export const logLimits = { logLines: 200, logLength: 64 * 1024 };
/** More than the kernel lets through, which says itself that there was more: what a host says is not trusted. */
const mostLines = logLimits.logLines + 1;
const mostLength = logLimits.logLength + 1_000;

export function keepLine({ logs }: HostCall, level: LogLine['level'], text: string): void {
  if (logs.length >= mostLines) return;
  const before = logs.reduce((length, line) => length + line.text.length, 0);
  const after = before + text.length;
  // The kernel cuts the line that fills the room.
  const isCut = (before < logLimits.logLength && after >= logLimits.logLength) || after > mostLength;
  logs.push({ level, text: text.slice(0, mostLength - before), ...(isCut ? { isCut } : {}) });
}

/** Gives up what the code waits for. Afterwards nothing of the call is under way. */
export function endCall(call: HostCall): void {
  clearTimeout(call.timer);
  call.served.end();
}

export function outcomeOf(kind: HostOutcome, payload: string): SandboxOutcome {
  switch (kind) {
    case 'returned':
      return { kind, result: payload };
    case 'threw':
      return { kind, thrown: thrownIn(payload) };
    case 'does_not_compile':
      return { kind, message: payload.slice(0, 1_000) };
    case 'not_a_function':
    case 'too_large':
    case 'out_of_memory':
      return { kind };
    // It was not told to, or says what it cannot.
    default:
      return { kind: 'crashed' };
  }
}

function thrownIn(payload: string): Thrown {
  try {
    const thrown = JSON.parse(payload) as Partial<Thrown> | null;
    return { ...thrown, name: String(thrown?.name ?? ''), message: String(thrown?.message ?? '') };
  } catch {
    return { name: 'Error', message: '' };
  }
}
