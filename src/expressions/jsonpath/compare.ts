import { isObject, type Json } from '../json.ts';
import type { Work } from '../run.ts';
import type { Operator } from './syntax.ts';

type Value = Json | undefined;

/** spec: RFC 9535, 2.3.5.2.2; only numbers and texts have an order */
export function compare(left: Value, operator: Operator, right: Value, work: Work): boolean {
  switch (operator) {
    case '==':
      return equal(left, right, work);
    case '!=':
      return !equal(left, right, work);
    case '<':
      return less(left, right, work);
    case '>':
      return less(right, left, work);
    case '<=':
      return less(left, right, work) || equal(left, right, work);
    case '>=':
      return less(right, left, work) || equal(left, right, work);
  }
}

function less(left: Value, right: Value, work: Work): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  work.spend(Math.min(left.length, right.length));
  return left < right;
}

function equal(left: Value, right: Value, work: Work): boolean {
  work.spend(10 + (typeof left === 'string' ? left.length : 0));
  if (Array.isArray(left)) return Array.isArray(right) && equalLists(left, right, work);
  if (!isObject(left)) return left === right;
  if (!isObject(right)) return false;
  const keys = Object.keys(left);
  const { length } = Object.keys(right);
  work.spend(10 * (keys.length + length));
  return (
    keys.length === length &&
    keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key], work))
  );
}

const equalLists = (left: readonly Json[], right: readonly Json[], work: Work): boolean =>
  left.length === right.length && left.every((item, index) => equal(item, right[index], work));
