import { Cursor } from './cursor.ts';
import { ExpressionError } from './error.ts';
import { limits } from './limits.ts';
import { takeNumber, takeString } from './literals.ts';

/** The grammar of expressions. It is ours, and narrow: Liquid implementations forgive too much. */

export type Path = readonly (string | number)[];
export type Operand =
  | { readonly kind: 'literal'; readonly value: null | boolean | number | string }
  | { readonly kind: 'path'; readonly path: Path };
export type FilterCall = {
  readonly name: string;
  readonly args: readonly Operand[];
  readonly position: number;
};
/** One `{{ … }}`. */
export type Output = { readonly operand: Operand; readonly filters: readonly FilterCall[] };

const name = /[\p{L}\p{N}_]+(?:-+[\p{L}\p{N}_]+)*/uy;
const filterName = /[a-z_0-9]+/y;
const index = /-?\d{1,9}/y;
const numberStart = /^-?\d/;
const constants = new Map<string, null | boolean>([
  ['true', true],
  ['false', false],
  ['nil', null],
  ['null', null],
]);

/** True when the text is more than plain text, be it a good expression or a bad one. */
export const hasExpression = (text: string): boolean => text.includes('{{') || text.includes('{%');

/**
 * The plain texts and outputs of an expression, in order.
 * @throws ExpressionError naming what is wrong and where
 */
export function parseParts(text: string): (string | Output)[] {
  if (text.length > limits.expressionLength) throw new ExpressionError('The expression is too long');
  const tag = text.indexOf('{%');
  if (tag !== -1) throw new ExpressionError('Only {{ }} is allowed, tags are not', tag);

  const cursor = new Cursor(text);
  const parts: (string | Output)[] = [];
  let trimNext = false;
  const addText = (part: string, trimEnd: boolean) => {
    const trimmed = trimNext ? part.trimStart() : part;
    const kept = trimEnd ? trimmed.trimEnd() : trimmed;
    if (kept !== '') parts.push(kept);
  };
  for (let before = cursor.takeUntil('{{'); before !== undefined; before = cursor.takeUntil('{{')) {
    cursor.expect('{{');
    addText(before, cursor.take('-'));
    parts.push({ operand: parseOperand(cursor), filters: parseFilters(cursor) });
    trimNext = parseEnd(cursor);
  }
  addText(text.slice(cursor.position), false);
  return parts;
}

/** Moves past `}}`; true when it is written `-}}`, which trims the text after it. */
export function parseEnd(cursor: Cursor): boolean {
  const trims = cursor.take('-');
  if (!cursor.take('}}')) cursor.fail('Expected "|" or "}}"');
  return trims;
}

export function parseFilters(cursor: Cursor): FilterCall[] {
  const filters: FilterCall[] = [];
  cursor.skipBlanks();
  while (cursor.sees('|')) {
    if (filters.length === limits.filters) {
      cursor.fail(`No more than ${String(limits.filters)} filters are allowed`);
    }
    cursor.take('|');
    filters.push(parseFilter(cursor));
  }
  return filters;
}

function parseFilter(cursor: Cursor): FilterCall {
  cursor.skipBlanks();
  const position = cursor.position;
  const called = cursor.match(filterName) ?? cursor.fail('Expected the name of a filter');
  const args: Operand[] = [];
  cursor.skipBlanks();
  if (cursor.take(':')) {
    do args.push(parseOperand(cursor));
    while (cursor.take(','));
  }
  return { name: called, args, position };
}

/** A literal or a path, and the blanks around it. */
function parseOperand(cursor: Cursor): Operand {
  cursor.skipBlanks();
  const operand = parseLiteral(cursor) ?? parsePath(cursor);
  cursor.skipBlanks();
  return operand;
}

function parseLiteral(cursor: Cursor): Operand | undefined {
  const text = takeString(cursor);
  if (text !== undefined) return { kind: 'literal', value: text };
  if (!numberStart.test(cursor.text.slice(cursor.position, cursor.position + 2))) return undefined;
  const value = takeNumber(cursor);
  return value === undefined ? undefined : { kind: 'literal', value };
}

function parsePath(cursor: Cursor): Operand {
  const root = cursor.match(name) ?? cursor.fail('Expected a value');
  const path: (string | number)[] = [root];
  for (;;) {
    if (cursor.take('.')) path.push(cursor.match(name) ?? cursor.fail('Expected the name of a property'));
    else if (cursor.take('[')) path.push(parseBracketed(cursor));
    else break;
    if (path.length > limits.pathSegments) cursor.fail('The path is too long');
  }
  const constant = path.length === 1 ? constants.get(root) : undefined;
  return constant === undefined ? { kind: 'path', path } : { kind: 'literal', value: constant };
}

function parseBracketed(cursor: Cursor): string | number {
  cursor.skipBlanks();
  const key = takeString(cursor) ?? parseIndex(cursor);
  cursor.skipBlanks();
  cursor.expect(']');
  return key;
}

function parseIndex(cursor: Cursor): number {
  return Number(cursor.match(index) ?? cursor.fail('Expected a quoted name or a number'));
}
