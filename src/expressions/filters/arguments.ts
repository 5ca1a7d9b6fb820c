import { ExpressionError } from '../error.ts';
import { isComplex, textOf, type Json } from '../json.ts';
import { limits } from '../limits.ts';

/** Reading a filter's arguments and its value. A null argument counts as one that is not there. */

const ordinals = ['first', 'second', 'third', 'fourth'];

const wrong = (position: number, expected: string): never => {
  throw new ExpressionError(`the ${ordinals[position] ?? 'last'} argument must be ${expected}`);
};

/** A count of characters. Clients also send numbers in quotes. */
export function countArgument(args: readonly Json[], position: number, fallback?: number): number {
  const given = args[position] ?? fallback;
  const count = typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > limits.valueLength) {
    return wrong(position, 'a whole number, 0 or more');
  }
  return count;
}

export function integerArgument(args: readonly Json[], position: number, fallback?: number): number {
  const given = args[position] ?? fallback;
  const integer = typeof given === 'string' && /^-?\d{1,9}$/.test(given) ? Number(given) : given;
  if (typeof integer !== 'number' || !Number.isInteger(integer)) return wrong(position, 'a whole number');
  return integer;
}

/** Clients send flags as booleans and as the texts 'true' and 'false'. */
export function flagArgument(args: readonly Json[], position: number): boolean {
  const given = args[position] ?? false;
  if (given === true || given === 'true') return true;
  if (given === false || given === 'false') return false;
  return wrong(position, 'true or false');
}

export function textArgument(args: readonly Json[], position: number, fallback?: string): string {
  const given = args[position] ?? fallback ?? null;
  if (given === null || isComplex(given)) return wrong(position, 'a text');
  const text = textOf(given);
  return text.length > limits.argumentLength ? wrong(position, 'shorter') : text;
}

export function characterArgument(args: readonly Json[], position: number, fallback?: string): string {
  const text = textArgument(args, position, fallback);
  return text.length <= 2 && [...text].length === 1 ? text : wrong(position, 'one character');
}

/** Text filters take numbers and booleans by their text, and nothing else. */
export function textInput(value: Json): string {
  if (isComplex(value)) throw new ExpressionError('needs a text, not an object or a list');
  return textOf(value);
}
