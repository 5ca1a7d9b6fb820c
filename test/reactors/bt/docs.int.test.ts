import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Realm } from '#test/reactors/bt/support/library.ts';

const file = new URL('../../../docs/reactors-bt.md', import.meta.url);
const between = /(<!-- bt -->\n)([^]*?)(<!-- \/bt -->)/;

/** The table between the markers, as the library has it. `node test/reactors/bt/docs.int.test.ts --write` puts it there. */
function table(): string {
  const { described } = new Realm(() => assert.unreachable() as never);
  const calls = Object.entries(described.calls).flatMap(([namespace, methods]) =>
    Object.entries(methods).map(([name, text]) => [`${namespace}.${name}`, text] as const),
  );
  const proxied = described.proxied.map((name) => [`proxy.${name}`, `${name.toUpperCase()} /proxy`] as const);
  const rows = [...Object.entries(described.functions), ...calls, ...proxied].map(([name, text]) => {
    const [method = '', path = '', ...takes] = text.split(' ');
    const ids = [...path.matchAll(/:(\w+)/g)].map(([, id = '']) => id);
    const given = takes.filter((taken) => taken !== 'raw');
    const isProxy = name.startsWith('proxy.');
    return `| \`bt.${name}(${[...ids, ...given, 'options'].join(', ')})\` | \`${method} ${path}${isProxy ? '/{path}' : ''}\` |`;
  });
  return ['', '| Method | Request |', '| --- | --- |', ...rows, '', ''].join('\n');
}

if (process.argv.includes('--write')) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(between, (_, before: string, __, after: string) => before + table() + after),
  );
}

test('given the library, when its page is read, then the table there is its own', () => {
  const rows = (text: string): string[][] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
  assert.equal(rows(between.exec(readFileSync(file, 'utf8'))?.[2] ?? ''), rows(table()));
});

test.run();
