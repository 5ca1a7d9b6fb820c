import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('given the direct dependencies, when their page is read, then each has a line and nothing else has', () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string> | undefined>;
  const direct = ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  );
  const listed = [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)`\s+\|/gm)].map(([, name]) => name);
  assert.equal(listed.sort(), direct.sort());
});

test.run();
