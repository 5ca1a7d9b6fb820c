import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import ts from 'typescript';

const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');

/** The requirements that the page answers for, by the words before the colon of their headings. */
const requirements = [
  ...['3.2.1', '3.3.1', '3.3.2', 'FAQ 1280', '3.4.1', '3.5.1', '3.5.1.1 and FAQ 1308', '3.5.1.2'],
  ...['3.6.1.1', '3.6.1.2', '3.7', '10.2.1', '10.2.2', '10.3 and 10.5', '12.3.3'],
];

type Section = { name: string; text: string };

const sections: Section[] = page
  .split(/^### /m)
  .slice(1)
  .map((text) => ({ name: text.slice(0, text.indexOf(':')), text }));

type Proof = { file: string; name: string };

/** Markdown takes underscores for emphasis unless they are escaped. */
const proofs: Proof[] = [...page.matchAll(/^- `(test\/[^`]+\.ts)`: (given .*)$/gm)].map(
  ([, file = '', name = '']) => ({ file, name: name.replaceAll('\\', '') }),
);

/** The names of a file's tests as patterns: a part that is filled in when it runs may be any text. */
function namesIn(file: string): RegExp[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    const parts = partsOf(node);
    if (parts?.[0]?.startsWith('given ') === true) {
      found.push(new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.+')}$`));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The fixed parts of a text. */
function partsOf(node: ts.Node): string[] | undefined {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
}

test('given the threats T1 to T35, when the page is read, then each is there once, in order', () => {
  const threats = sections.map(({ name }) => name).filter((name) => /^T\d+$/.test(name));
  assert.equal(
    threats,
    Array.from({ length: 35 }, (_, index) => `T${index + 1}`),
  );
});

test('given the requirements of PCI DSS, when the page is read, then each is there once, in order', () => {
  assert.equal(
    sections.map(({ name }) => name).filter((name) => !/^T\d+$/.test(name)),
    requirements,
  );
});

test('given each of them, when it is read, then it has a test, or says why it is left out', () => {
  const unproven = sections.filter(({ text }) => !/^- `test\//m.test(text) && !/^Left out: /m.test(text));
  assert.equal(
    unproven.map(({ name }) => name),
    [],
  );
  assert.is(proofs.length, (page.match(/^- /gm) ?? []).length, 'a line names no test');
});

test('given the tests that it names, when their files are read, then each is there', () => {
  const names = new Map<string, RegExp[]>();
  const missing = proofs.filter(({ file, name }) => {
    const known = names.get(file) ?? namesIn(file);
    names.set(file, known);
    return !known.some((pattern) => pattern.test(name));
  });
  assert.equal(missing, []);
});

test.run();
