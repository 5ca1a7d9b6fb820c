import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filterTable } from '#expressions/filters/table.ts';
import { limits } from '#expressions/limits.ts';
import type { Json } from '#ports/json.ts';
import { render, seededRandom } from '#test/expressions/support/render.ts';

type Example = { expression: string; data: Json; result: Json };

const documentation = suite('documented expressions');
const page = readFileSync(new URL('../../docs/expressions.md', import.meta.url), 'utf8');

/** Rows of a table, cells without the backticks; a bar in a cell is written `\|`. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')));

const examples: Example[] = rows.flatMap((cells) => {
  const [expression = '', data = '', result = ''] = cells.slice(-4, -1).map((cell) => cell.slice(1, -1));
  if (!expression.includes('{{') || result === '') return [];
  return [{ expression, data: JSON.parse(data) as Json, result: JSON.parse(result) as Json }];
});

documentation('given every example of the page, when rendered, then it gives what the page says', () => {
  assert.ok(examples.length > 50, String(examples.length));
  for (const { expression, data, result } of examples) {
    const rendered = render(expression, data, seededRandom());
    if (!expression.includes('alias_')) assert.equal(rendered, result, expression);
    else assert.match(rendered as string, new RegExp(`^${String(result).replaceAll('_', '[a-z0-9]')}$`));
  }
});

documentation('given every filter, when looked up on the page, then it has an example', () => {
  for (const name of filterTable.keys()) {
    assert.ok(
      examples.some(({ expression }) => new RegExp(`\\| ${name}\\b`).test(expression)),
      name,
    );
  }
});

documentation('given the limits, when looked up on the page, then they are the ones that hold', () => {
  const told = [
    limits.expressionLength,
    limits.filters,
    limits.valueLength,
    limits.joinedLength,
    limits.stringifiedLength,
    limits.aliasLength,
    limits.maskLength,
    limits.maskedLength,
    limits.maskDepth,
    limits.maskExpressions,
    limits.jsonPathLength,
    limits.jsonPathNesting,
    limits.references,
    limits.shownLength,
  ];
  const section = page.slice(page.indexOf('## Limits'));
  for (const limit of told) assert.ok(section.includes(limit.toLocaleString('en-US')), String(limit));
});

documentation.run();
