import type { Ending } from '#test/sandbox/hostile/support/program.ts';

export type Answered = { status: number; type: string; text: string };

type Problem = { status?: number; detail?: string; errors?: Record<string, string[]> };

const messages: readonly [Ending, RegExp][] = [
  ['timed_out', /^The reactor timed out: it did not end within \d+ seconds\.$/],
  ['out_of_memory', /^The reactor ran out of memory\.$/],
  ['too_large', /^What the reactor returned is too large, or too deeply nested\.$/],
  ['crashed', /^The reactor was interrupted: the process that it ran in ended\.$/],
];

/** How an invocation ended, told from the answer to its caller. */
export function endingOf({ status, type, text }: Answered): Ending {
  if (status === 200) return 'returned';
  const { status: told, detail, errors } = JSON.parse(text) as Problem;
  if (!type.startsWith('application/json') || told !== status) {
    throw new Error(`no problem: ${status} ${type} ${text.slice(0, 500)}`);
  }
  if (status === 422) return 'invalid';
  if (status !== 500 || detail !== 'Reactor Runtime Error') return status;
  const [message = ''] = errors?.['error'] ?? [];
  return messages.find(([, pattern]) => pattern.test(message))?.[0] ?? 'threw';
}
