import type { LogLine, SandboxOutcome, SandboxResult } from '#ports/sandbox.ts';
import type { Configuration } from '#src/configurations.ts';

/** An invocation that has ended, with all that must be known to log it. */
export type EndedInvocation = {
  tenantId: string;
  reactorId: string;
  /** Where the vault keeps the configuration that the code ran with. */
  payloadId: string;
  /** That configuration, where this invocation loaded it. */
  configuration: Configuration | undefined;
  injected: readonly string[];
  traceId: string;
  startedAt: Date;
  milliseconds: number;
  outcome: SandboxOutcome['kind'];
  /** Of the answer, where there was one. */
  status: number | undefined;
  /** See {@link linesOf}. */
  lines: readonly LogLine[];
};

/** Of a message; in characters. */
const longestMessage = 10_000;

/** Whether there is something to read in its log: lines, or a failure. An invocation that never began has none. */
export const isTelling = ({ outcome, status = 500, lines }: EndedInvocation): boolean =>
  outcome !== 'busy' && outcome !== 'unconfined' && (lines.length > 0 || status >= 400);

/** What was printed, and then what was thrown: its name and message, never its stack. */
export function linesOf({ outcome, logs }: SandboxResult): readonly LogLine[] {
  const message = messageOf(outcome);
  if (message === undefined) return logs;
  const isCut = message.length > longestMessage;
  return [...logs, { level: 'error', text: message.slice(0, longestMessage), ...(isCut ? { isCut } : {}) }];
}

function messageOf(outcome: SandboxOutcome): string | undefined {
  if (outcome.kind === 'does_not_compile') return outcome.message;
  if (outcome.kind !== 'threw') return undefined;
  const { name, message } = outcome.thrown;
  return message === '' ? name : `${name}: ${message}`;
}
