import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judge } from '#test/runner/judge.ts';
import { reportRun } from '#test/runner/report.ts';

const runner = suite('test runner');

const summary = (total: number, passed: number, skipped = 0): string =>
  ` suite  • ✘   (${passed} / ${total})\n\n  Total:     ${total}\n  \u001b[32mPassed:    ${passed}\u001b[39m\n  Skipped:   ${skipped}\n  Duration:  1.20ms\n\n`;

runner('given a complete run, when judged, then its counts are those of the summary', () => {
  assert.equal(judge(summary(5, 5, 2), 0, undefined), { passed: 5, failed: 0, skipped: 2 });
  assert.equal(judge(summary(5, 3), 1, undefined), { passed: 3, failed: 2, skipped: 0 });
});

runner('given tests that never began, when judged, then they failed', () => {
  const verdict = judge(summary(5, 0), 0, undefined);
  assert.is(verdict.failed, 5);
  assert.match(verdict.reason ?? '', 'before');
});

runner('given a file that does not end as it should, when judged, then it is one failure', () => {
  assert.is(judge('Error: cannot find module', 1, undefined).failed, 1);
  assert.is(judge(summary(5, 5), 1, undefined).failed, 1);
  assert.is(judge(summary(0, 0), 0, undefined).failed, 1);
  const leaking = judge(summary(5, 5), null, 'it leaks a handle');
  assert.equal(leaking, { passed: 5, failed: 1, skipped: 0, reason: 'it leaks a handle' });
});

runner('given results, when reported, then the last line says how many passed and failed', () => {
  const result = { path: 'a.test.ts', milliseconds: 1, output: '', passed: 2, failed: 1, skipped: 0 };
  assert.match(reportRun([result, result], 1), /\n4 passed, 2 failed\n$/);
});

runner.run();
