import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runExamples } from '#test/docs/support/runExamples.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import { builtIns, errorPackage, packages, refusedPackages } from '#src/tenantCode/modules.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/reactors.md');

/** The first two cells of the lines of a table. */
function rowsOf(heading: string): [string, string][] {
  const table = page.slice(page.indexOf(`| ${heading} `)).split('\n\n')[0] ?? '';
  return table
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
    .map(([, first = '', second = '']) => [first, second]);
}

test('given the built-ins of the runtime, when its page is read, then it lists them and no other', () => {
  assert.equal(
    rowsOf('Built-in').map(([name]) => name),
    [...builtIns],
  );
});

test('given the packages of the runtime, when its page is read, then it lists them at what is installed, and the refused ones', () => {
  const { dependencies } = JSON.parse(read('packages/package.json')) as {
    dependencies: Record<string, string>;
  };
  assert.equal(Object.keys(dependencies), Object.keys(packages));
  assert.equal(rowsOf('Package'), [[errorPackage, 'ours'], ...Object.entries(dependencies)]);
  assert.equal(rowsOf('Refused'), Object.entries(refusedPackages));
});

test('given its examples, when they are sent one after the other, then each is answered as the page says', async () => {
  const service = await startVaultService();
  try {
    assert.is(await runExamples(page, service), (page.match(/```http/g) ?? []).length);
  } finally {
    await service.close();
  }
});

test.run();
