import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { stateDiagram, stateTable } from '#test/docs/support/stateDiagram.ts';

const file = new URL('../../docs/orchestration-machine.md', import.meta.url);

/** What stands between markers is the code's. `node test/docs/orchestrationMachine.int.test.ts --write` puts it there. */
const parts = { diagram: stateDiagram(), table: stateTable() };

const between = (name: string) => new RegExp(`(<!-- ${name} -->\\n)([^]*?)(\\n<!-- /${name} -->)`);

if (process.argv.includes('--write')) {
  const page = Object.entries(parts).reduce(
    (text, [name, part]) =>
      text.replace(between(name), (_, before: string, __, after: string) => `${before}\n${part}\n${after}`),
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, page);
}

/** Prettier pads tables. */
const plain = (text: string | undefined): string[] | undefined =>
  text
    ?.trim()
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').replace(/-{3,}/g, '---'));

for (const [name, part] of Object.entries(parts)) {
  test(`given the machine of the code, when its page is read, then the ${name} is the same`, () => {
    assert.equal(plain(between(name).exec(readFileSync(file, 'utf8'))?.[2]), plain(part));
  });
}

test.run();
