import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { placeCanaries } from '#test/sandbox/hostile/support/canaries.ts';
import { startSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';
import { bodyOf } from '#test/sandbox/hostile/support/program.ts';
import { walker } from '#test/sandbox/hostile/programs/walker.ts';

const test = suite('hostile: logs of code');

test('given code that logs all it can reach, when it has run, then no secret of ours is in its logs', async () => {
  const canaries = placeCanaries();
  const sandbox = startSandbox({});
  const code = `${walker}\n${bodyOf(`
    const { texts } = walk({ globalThis, require, module, req, error: thrown(() => require('fs')) });
    console.log(texts.filter((text) => /canary|holdfast/i.test(text)).join(' '));
    console.error(process.env, thrown(() => require('crypto').createHash('x')).stack);
    console.log(texts.join(' '));`)}`;
  const { outcome, logs } = await sandbox.runCode(code);
  assert.is(outcome.kind, 'returned');
  assert.ok(logs.length >= 3);
  const text = JSON.stringify(logs);
  assert.equal(canaries.foundIn(text), []);
  assert.not.match(text, /node:internal|\/infra\/|file:\/\//);
  await sandbox.close();
});

test('given more logs than are kept, when code returns, times out or throws, then they are bounded and say so', async () => {
  const sandbox = startSandbox({ milliseconds: 500 });
  const floods = {
    long: `console.log('x'.repeat(1e7)); console.log('y'); return {};`,
    many: `for (let i = 0; i < 1e5; i++) console.log('x'); throw new Error();`,
    endless: `for (;;) console.log('x'.repeat(1000));`,
  };
  for (const [name, body] of Object.entries(floods)) {
    const { logs } = await sandbox.runCode(bodyOf(body));
    const length = logs.reduce((sum, line) => sum + line.text.length, 0);
    assert.ok(logs.length > 0 && logs.length <= 201 && length < 70_000, `${name}: ${logs.length}, ${length}`);
    assert.equal(logs.at(-1), { level: 'warn', text: 'Further output was dropped.' }, name);
  }
  await sandbox.close();
});

test.run();
