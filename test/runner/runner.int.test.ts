import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runFiles } from '#test/runner/runFiles.ts';
import type { FileResult } from '#test/runner/results.ts';

type Context = { directory: string };

const runner = suite<Context>('test runner');

runner.before.each(async (context) => {
  context.directory = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
});
runner.after.each(({ directory }) => rm(directory, { recursive: true, force: true }));

/** Runs files with this content in one process. */
async function run(
  { directory }: Context,
  contents: readonly string[],
  more: { bail?: boolean; signal?: AbortSignal } = {},
): Promise<FileResult[]> {
  const files = await Promise.all(
    contents.map(async (content, index) => {
      const path = join(directory, `${index}.int.test.ts`);
      await writeFile(
        path,
        `import { suite } from 'uvu';\nconst test = suite('it');\n${content}\ntest.run();\n`,
      );
      return path;
    }),
  );
  return runFiles({
    files,
    atOnce: 1,
    environment: process.env,
    temporary: directory,
    signal: more.signal ?? new AbortController().signal,
    bail: more.bail ?? false,
    onResult: () => undefined,
  });
}

const passing = `test('passes', () => undefined);`;
const failing = `test('fails', () => { throw new Error('so it is'); });`;

runner(
  'given files, when run, then passed, failed and skipped tests are counted and output is kept',
  async (context) => {
    const [first, second] = await run(context, [
      `${passing}\n${failing}\ntest.skip('left out');\nprocess.stdout.write('said');`,
      passing,
    ]);
    assert.equal([first?.passed, first?.failed, first?.skipped], [1, 1, 1]);
    assert.match(first?.output ?? '', 'so it is');
    assert.match(first?.output ?? '', 'said');
    assert.equal([second?.passed, second?.failed], [1, 0]);
  },
);

runner(
  'given a `before` hook that fails, when run, then tests after it failed, and the reason is told',
  async (context) => {
    const [result] = await run(context, [
      `test.before(() => { throw new Error('not today'); });\n${passing}`,
    ]);
    assert.is(result?.failed, 1);
    assert.match(result?.reasons.join() ?? '', 'not today');
  },
);

runner('given a file without a test, or that cannot be loaded, when run, then it failed', async (context) => {
  const results = await run(context, ['', `throw new Error('broken');`, passing]);
  assert.equal(
    results.map(({ failed }) => failed),
    [1, 1, 0],
  );
});

runner(
  'given a file that ends its process, when run, then it failed, and the next runs in another',
  async (context) => {
    const results = await run(context, [`test('ends', () => process.exit(3));`, passing]);
    assert.match(results[0]?.reasons.join() ?? '', 'exit code 3');
    assert.is(results[1]?.passed, 1);
  },
);

runner('given files that leave things behind, when run, then each is named and failed', async (context) => {
  const leaving = [
    `import { mkdtempSync } from 'node:fs'; import { tmpdir } from 'node:os';
     test('leaves a directory', () => { mkdtempSync(tmpdir() + '/left-'); });`,
    `import { createServer } from 'node:net';
     test('leaves a server', () => new Promise((done) => createServer().listen(0, '127.0.0.1', done)));`,
    `import { spawn } from 'node:child_process';
     test('leaves a process', () => { spawn('sleep', ['600'], { stdio: 'ignore' }); });`,
  ];
  const results = await run(context, leaving);
  const told = results.map(({ reasons }) => reasons.join());
  assert.match(told[0] ?? '', /left a directory behind: left-/);
  assert.match(told[1] ?? '', 'left a server behind');
  if (process.platform === 'linux') assert.match(told[2] ?? '', /left a process behind: \d+ sleep 600/);
});

runner('given a failure and `bail`, when run, then nothing more is started', async (context) => {
  assert.is((await run(context, [failing, passing], { bail: true })).length, 1);
});

runner(
  'given an interruption, when a file is under way, then it ends, and counts as not run',
  async (context) => {
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort();
    }, 500);
    const results = await run(context, [`test('hangs', () => new Promise(() => undefined));`], {
      signal: controller.signal,
    });
    assert.equal(results, []);
  },
);

runner.run();
