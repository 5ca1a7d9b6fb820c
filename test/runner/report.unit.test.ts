import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { levelOf } from '#test/runner/files.ts';
import { readOptions } from '#test/runner/options.ts';
import { reportFailure, reportRun } from '#test/runner/report.ts';
import { brokenFile } from '#test/runner/results.ts';
import type { FileResult } from '#test/runner/results.ts';
import { dearestFirst } from '#test/runner/times.ts';

const report = suite('test runner: report and order');

const result = (more: Partial<FileResult>): FileResult => ({
  ...brokenFile('test/a.unit.test.ts', '', '', 1),
  reasons: [],
  failed: 0,
  ...more,
});

report('given results, when reported, then the last line says how many passed and failed', () => {
  const results = [result({ passed: 2 }), result({ passed: 2, failed: 1 })];
  const text = reportRun(results, { milliseconds: 1, leftOut: 3, notRun: 2, others: 1 });
  assert.match(text, /\n4 passed, 2 failed\n$/);
  assert.match(text, 'the run was stopped: 2 files were not run');
  assert.match(text, '3 long files were left to `npm run test:long`');
});

report(
  'given a failure, when reported, then its reason, its output and the command that repeats it are told',
  () => {
    const text = reportFailure(result({ failed: 1, reasons: ['left a database behind: x'], output: 'out' }));
    assert.match(text, 'left a database behind: x');
    assert.match(text, 'out');
    assert.match(text, 'npm test -- --no-checks test/a.unit.test.ts');
  },
);

report('given times of the last run, when files are put in order, then the dearest come first', () => {
  const times = { 'a.unit.test.ts': 5, 'b.unit.test.ts': 50 };
  const ordered = dearestFirst(times, ['a.unit.test.ts', 'c.e2e.test.ts', 'b.unit.test.ts']);
  assert.equal(ordered, ['c.e2e.test.ts', 'b.unit.test.ts', 'a.unit.test.ts']);
});

report('given a file without a level, when it is found, then an error says how it must be named', () => {
  assert.is(levelOf('test/a.int.test.ts'), 'int');
  assert.throws(() => levelOf('test/a.test.ts'), /must end in \.unit\.test\.ts/);
});

report('given options, when read, then unknown levels are refused', () => {
  assert.equal(readOptions(['--level', 'e2e,unit', '--bail', 'words']).levels, ['unit', 'e2e']);
  assert.throws(() => readOptions(['--level', 'some']), /must name unit, int, e2e, long/);
  assert.throws(() => readOptions(['--some']));
});

report.run();
