import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import ts from 'typescript';

/** The longest text that a pattern meets: what is longer is refused by its length before. */
const length = 50_000;
/** Far above what a linear pattern needs, far below what one that backtracks does; in milliseconds. */
const patience = 1_000;
const rooms = ['src', 'commands', 'queries', 'projections', 'infra'];

type Pattern = { place: string; source: string };

/** Every regular expression of the code that serves requests, with the file that it stands in. */
async function patternsIn(room: string): Promise<Pattern[]> {
  const names = (await readdir(room, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const found: Pattern[] = [];
  for (const name of names) {
    const path = join(room, name);
    const file = ts.createSourceFile(path, await readFile(path, 'utf8'), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) found.push({ place: path, source: node.text });
      if (ts.isPropertyAssignment(node) && node.name.getText(file) === 'pattern') {
        const { initializer } = node;
        if (ts.isStringLiteralLike(initializer)) {
          found.push({ place: path, source: String(new RegExp(initializer.text, 'u')) });
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}

/** Texts that almost match: long runs of what the pattern takes, with something at the end that it does not. */
function attacksOn(source: string): string[] {
  const own = [...new Set(source.replaceAll(/\\[a-z]/gi, ''))].filter(
    (character) => !'^$'.includes(character),
  );
  const units = [
    ...own,
    'a',
    '0',
    ' ',
    '\t',
    '\n',
    '-',
    '.',
    'aA0',
    '0-',
    'a.',
    '{{',
    '{{a',
    '"',
    '\\',
    '(',
    'é',
  ];
  return units.flatMap((unit) => {
    const run = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    return [run, `${run}\u0000`, `${run.slice(1)}!`];
  });
}

const box: { text: string } = { text: '' };
const context = createContext(box);

/** How long a pattern takes for a text; what does not end is ended. */
function milliseconds(pattern: Script, text: string): number {
  box.text = text;
  const began = performance.now();
  try {
    pattern.runInContext(context, { timeout: patience });
  } catch {
    return Infinity;
  }
  return performance.now() - began;
}

/** Whether a text is found on which it takes too long each time: a machine that is busy is no proof. */
function backtracks({ source }: Pick<Pattern, 'source'>): boolean {
  const pattern = new Script(`(${source}).test(text)`);
  return attacksOn(source).some((attack) =>
    [1, 2, 3].every(() => milliseconds(pattern, attack) > patience / 2),
  );
}

test('given every pattern of the code, when texts of 50,000 characters almost match it, then none backtracks', async () => {
  const patterns = (await Promise.all(rooms.map(patternsIn))).flat();
  assert.ok(patterns.length > 50, `only ${patterns.length} patterns were found`);
  assert.equal(patterns.filter(backtracks), []);
});

test('given a pattern that backtracks, when it is attacked, then that is found', () => {
  assert.ok(backtracks({ source: '/^(a+)+$/' }));
  assert.ok(backtracks({ source: '/=+$/' }));
});

test.run();
