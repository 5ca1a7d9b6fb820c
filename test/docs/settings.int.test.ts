import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { settings } from '#src/config.ts';

const file = new URL('../../README.md', import.meta.url);

/** The table between the markers, as the code has it. `node test/docs/settings.int.test.ts --write` puts it there. */
function table(): string {
  const rows = Object.values(settings).map(
    ({ name, default: shown, description }) => `| \`${name}\` | ${shown} | ${description} |`,
  );
  return ['', '| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

const between = /(<!-- settings -->\n)([^]*?)(<!-- \/settings -->)/;
const readme = readFileSync(file, 'utf8');

if (process.argv.includes('--write')) {
  writeFileSync(
    file,
    readme.replace(between, (_, before: string, __, after: string) => before + table() + after),
  );
}

test('given the settings of the code, when the README is read, then its table is theirs', () => {
  const rows = (text: string): string[][] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
  assert.equal(rows(between.exec(readFileSync(file, 'utf8'))?.[2] ?? ''), rows(table()));
});

test.run();
