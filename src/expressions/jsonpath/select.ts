import { isComplex, isObject, type Json } from '../json.ts';
import type { Work } from '../run.ts';
import { compare } from './compare.ts';
import type { Condition, Operand, Query, Segment, Selector } from './syntax.ts';

/** What a query is answered from. Every node that is looked at is paid for, however the query is nested. */
type Scope = { readonly root: Json; readonly work: Work };

const nodeCost = 10;

/** The values that the query names in the document, in the document's order. */
export function select(query: Query, root: Json, work: Work): Json[] {
  return selectFrom(query, root, { root, work });
}

function selectFrom({ from, segments }: Query, current: Json, scope: Scope): Json[] {
  let nodes = [from === 'root' ? scope.root : current];
  for (const segment of segments) nodes = selectSegment(segment, nodes, scope);
  return nodes;
}

function selectSegment({ descends, selectors }: Segment, nodes: readonly Json[], scope: Scope): Json[] {
  const found: Json[] = [];
  const visit = (node: Json) => {
    for (const selector of selectors) selectChildren(selector, node, scope, found);
  };
  for (const node of nodes) {
    scope.work.spend(nodeCost);
    if (descends) visitAll(node, scope, visit);
    else visit(node);
  }
  return found;
}

/** The node and everything below it, with a stack of its own: the depth of data is not ours to trust. */
function visitAll(node: Json, { work }: Scope, visit: (node: Json) => void): void {
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    visit(next);
    const children = childrenOf(next, work);
    for (const child of children.toReversed()) pending.push(child);
  }
}

function childrenOf(node: Json, work: Work): readonly Json[] {
  if (!isComplex(node)) return [];
  const children = Array.isArray(node) ? node : Object.values(node);
  work.spend(nodeCost * children.length);
  return children;
}

function selectChildren(selector: Selector, node: Json, scope: Scope, found: Json[]): void {
  if (!isComplex(node)) return;
  scope.work.spend(nodeCost);
  switch (selector.kind) {
    case 'name':
      if (isObject(node) && Object.hasOwn(node, selector.name)) add(found, node[selector.name]);
      return;
    case 'index':
      if (Array.isArray(node)) add(found, node.at(selector.index));
      return;
    case 'slice':
      if (Array.isArray(node)) selectSlice(selector, node, scope, found);
      return;
    case 'wildcard':
      for (const child of childrenOf(node, scope.work)) found.push(child);
      return;
    case 'filter':
      for (const child of childrenOf(node, scope.work)) {
        if (holds(selector.condition, child, scope)) found.push(child);
      }
  }
}

function add(found: Json[], value: Json | undefined): void {
  if (value !== undefined) found.push(value);
}

/** spec: RFC 9535, 2.3.4.2.2 */
function selectSlice(
  { start, end, step }: Extract<Selector, { kind: 'slice' }>,
  list: readonly Json[],
  scope: Scope,
  found: Json[],
): void {
  if (step === 0) return;
  const [lowest, highest] = step > 0 ? [0, list.length] : [-1, list.length - 1];
  const bound = (given: number | undefined, fallback: number) => {
    if (given === undefined) return fallback;
    return Math.min(Math.max(given < 0 ? list.length + given : given, lowest), highest);
  };
  const from = bound(start, step > 0 ? lowest : highest);
  const to = bound(end, step > 0 ? highest : lowest);
  for (let index = from; step > 0 ? index < to : index > to; index += step) {
    scope.work.spend(nodeCost);
    add(found, list[index]);
  }
}

function holds(condition: Condition, current: Json, scope: Scope): boolean {
  scope.work.spend(nodeCost);
  switch (condition.kind) {
    case 'or':
      return condition.conditions.some((each) => holds(each, current, scope));
    case 'and':
      return condition.conditions.every((each) => holds(each, current, scope));
    case 'not':
      return !holds(condition.condition, current, scope);
    case 'exists':
      return selectFrom(condition.query, current, scope).length > 0;
    case 'comparison': {
      const left = valueOf(condition.left, current, scope);
      const right = valueOf(condition.right, current, scope);
      return compare(left, condition.operator, right, scope.work);
    }
  }
}

/** The value of an operand; undefined is RFC 9535's Nothing. */
function valueOf(operand: Operand, current: Json, scope: Scope): Json | undefined {
  switch (operand.kind) {
    case 'literal':
      return operand.value;
    case 'query':
      return onlyOne(selectFrom(operand.query, current, scope));
    case 'value':
      return onlyOne(selectFrom(operand.of, current, scope));
    case 'count':
      return selectFrom(operand.of, current, scope).length;
    case 'length':
      return lengthOf(valueOf(operand.of, current, scope), scope);
  }
}

const onlyOne = (nodes: readonly Json[]): Json | undefined => (nodes.length === 1 ? nodes[0] : undefined);

function lengthOf(value: Json | undefined, { work }: Scope): number | undefined {
  if (typeof value === 'string') {
    work.spend(value.length);
    return [...value].length;
  }
  return value !== undefined && isComplex(value) ? Object.keys(value).length : undefined;
}
