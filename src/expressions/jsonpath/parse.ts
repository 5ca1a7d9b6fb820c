import { Cursor } from '../cursor.ts';
import { ExpressionError } from '../error.ts';
import { limits } from '../limits.ts';
import { takeNumber, takeString } from '../literals.ts';
import type { Condition, Operand, Operator, Query, Segment, Selector } from './syntax.ts';

const memberName = /[A-Za-z_\u0080-\u{10ffff}][A-Za-z0-9_\u0080-\u{10ffff}]*/uy;
const integer = /-?\d{1,15}/y;
const functionName = /[a-z][a-z_0-9]*/y;
const operators: readonly Operator[] = ['==', '!=', '<=', '>=', '<', '>'];
const constants = new Map<string, null | boolean>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** @throws ExpressionError; its position is the one in the path, so it is part of the message only */
export function parseJsonPath(text: string): Query {
  if (text.length > limits.jsonPathLength) throw new ExpressionError('the path is too long');
  const cursor = new Cursor(text);
  try {
    cursor.expect('$');
    const query: Query = { from: 'root', segments: parseSegments(cursor, 0) };
    if (!cursor.atEnd) cursor.fail('Expected ".", "[" or the end');
    return query;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ExpressionError(`in the path, at its position ${String(error.position)}: ${error.reason}`);
  }
}

/** @param nesting how many filters this query is inside of */
function parseSegments(cursor: Cursor, nesting: number): Segment[] {
  if (nesting > limits.jsonPathNesting) cursor.fail('Too deeply nested');
  const segments: Segment[] = [];
  for (;;) {
    const start = cursor.position;
    cursor.skipBlanks();
    const segment = parseSegment(cursor, nesting);
    if (segment === undefined) {
      cursor.position = start;
      return segments;
    }
    segments.push(segment);
  }
}

function parseSegment(cursor: Cursor, nesting: number): Segment | undefined {
  const descends = cursor.take('..');
  if (cursor.take('[')) return { descends, selectors: parseSelectors(cursor, nesting) };
  if (!descends && !cursor.take('.')) return undefined;
  if (cursor.take('*')) return { descends, selectors: [{ kind: 'wildcard' }] };
  const name = cursor.match(memberName) ?? cursor.fail('Expected a name');
  return { descends, selectors: [{ kind: 'name', name }] };
}

function parseSelectors(cursor: Cursor, nesting: number): Selector[] {
  const selectors: Selector[] = [];
  do {
    cursor.skipBlanks();
    selectors.push(parseSelector(cursor, nesting));
    cursor.skipBlanks();
  } while (cursor.take(','));
  cursor.expect(']');
  return selectors;
}

function parseSelector(cursor: Cursor, nesting: number): Selector {
  if (cursor.take('*')) return { kind: 'wildcard' };
  if (cursor.take('?')) return { kind: 'filter', condition: parseCondition(cursor, nesting + 1) };
  const name = takeString(cursor);
  return name === undefined ? parseIndexOrSlice(cursor) : { kind: 'name', name };
}

function parseIndexOrSlice(cursor: Cursor): Selector {
  const start = takeInteger(cursor);
  if (!cursor.take(':')) {
    return { kind: 'index', index: start ?? cursor.fail('Expected a name, a number, "*" or "?"') };
  }
  const end = takeInteger(cursor);
  const step = cursor.take(':') ? takeInteger(cursor) : undefined;
  return { kind: 'slice', start, end, step: step ?? 1 };
}

function takeInteger(cursor: Cursor): number | undefined {
  cursor.skipBlanks();
  const text = cursor.match(integer);
  cursor.skipBlanks();
  return text === undefined ? undefined : Number(text);
}

function parseCondition(cursor: Cursor, nesting: number): Condition {
  if (nesting > limits.jsonPathNesting) cursor.fail('Too deeply nested');
  const conditions = parseSeveral(cursor, '||', (): Condition => {
    const all = parseSeveral(cursor, '&&', () => parseBasic(cursor, nesting));
    return one(all) ?? { kind: 'and', conditions: all };
  });
  return one(conditions) ?? { kind: 'or', conditions };
}

function parseSeveral<Item>(cursor: Cursor, separator: string, parse: () => Item): Item[] {
  const items: Item[] = [];
  do {
    cursor.skipBlanks();
    items.push(parse());
    cursor.skipBlanks();
  } while (cursor.take(separator));
  return items;
}

const one = <Item>(items: readonly Item[]): Item | undefined => (items.length === 1 ? items[0] : undefined);

function parseBasic(cursor: Cursor, nesting: number): Condition {
  if (cursor.take('!')) {
    cursor.skipBlanks();
    return { kind: 'not', condition: parseGroup(cursor, nesting) ?? parseTest(cursor, nesting) };
  }
  return parseGroup(cursor, nesting) ?? parseTest(cursor, nesting);
}

function parseGroup(cursor: Cursor, nesting: number): Condition | undefined {
  if (!cursor.take('(')) return undefined;
  const condition = parseCondition(cursor, nesting + 1);
  cursor.expect(')');
  return condition;
}

/** A comparison, or a query alone, which asks whether it finds anything. */
function parseTest(cursor: Cursor, nesting: number): Condition {
  const start = cursor.position;
  const left = parseOperand(cursor, nesting);
  cursor.skipBlanks();
  const operator = takeOperator(cursor);
  if (operator === undefined) {
    if (left.kind !== 'query') return cursor.fail('Expected a comparison', start);
    return { kind: 'exists', query: left.query };
  }
  cursor.skipBlanks();
  const right = parseOperand(cursor, nesting);
  for (const side of [left, right]) {
    if (side.kind === 'query' && !isSingular(side.query)) {
      cursor.fail('Only a query for one value can be compared', start);
    }
  }
  return { kind: 'comparison', left, operator, right };
}

const takeOperator = (cursor: Cursor): Operator | undefined => operators.find((each) => cursor.take(each));

function parseOperand(cursor: Cursor, nesting: number): Operand {
  const text = takeString(cursor);
  if (text !== undefined) return { kind: 'literal', value: text };
  const number = takeNumber(cursor);
  if (number !== undefined) return { kind: 'literal', value: number };
  const query = takeQuery(cursor, nesting);
  if (query !== undefined) return { kind: 'query', query };

  const word = cursor.match(functionName) ?? cursor.fail('Expected a value');
  const constant = constants.get(word);
  return constant === undefined ? parseCall(cursor, word, nesting) : { kind: 'literal', value: constant };
}

function takeQuery(cursor: Cursor, nesting: number): Query | undefined {
  const from = cursor.take('@') ? 'current' : cursor.take('$') ? 'root' : undefined;
  return from && { from, segments: parseSegments(cursor, nesting + 1) };
}

function parseCall(cursor: Cursor, name: string, nesting: number): Operand {
  cursor.expect('(');
  cursor.skipBlanks();
  const call = parseArgument(cursor, name, nesting);
  cursor.skipBlanks();
  cursor.expect(')');
  return call;
}

function parseArgument(cursor: Cursor, name: string, nesting: number): Operand {
  if (nesting > limits.jsonPathNesting) cursor.fail('Too deeply nested');
  switch (name) {
    case 'length': {
      const operand = parseOperand(cursor, nesting + 1);
      if (operand.kind === 'query' && !isSingular(operand.query)) {
        cursor.fail('Expected a query for one value');
      }
      return { kind: 'length', of: operand };
    }
    case 'count':
    case 'value':
      return { kind: name, of: takeQuery(cursor, nesting) ?? cursor.fail('Expected a query') };
    default:
      return cursor.fail(`There is no function "${name}"`);
  }
}

const isSingular = ({ segments }: Query): boolean =>
  segments.every(({ descends, selectors: [selector, ...others] }) => {
    return !descends && others.length === 0 && (selector?.kind === 'name' || selector?.kind === 'index');
  });
