import { readSummary } from '#test/runner/summary.ts';
import type { Counts } from '#test/runner/summary.ts';

/** `reason` says what the output of the tests does not. */
export type Verdict = Counts & { reason?: string };

/** What a file's run counts for: a file that does not end as it should is one failure more. */
export function judge(output: string, code: number | null, interruption: string | undefined): Verdict {
  const counts = readSummary(output);
  if (interruption !== undefined) return broken(counts, interruption);
  if (counts === undefined) return broken(counts, `ended with exit code ${code}, without a summary`);
  if (counts.passed + counts.failed === 0) return broken(counts, 'holds no test');
  if (code !== 0 && counts.failed === 0) return broken(counts, `ended with exit code ${code}`);
  if (code === 0 && counts.failed > 0) {
    return { ...counts, reason: 'a `before` hook failed: the tests after it did not run' };
  }
  return counts;
}

function broken(counts: Counts | undefined, reason: string): Verdict {
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  return { passed, failed: failed + 1, skipped, reason };
}
