import { ExpressionError } from '../error.ts';
import { isObject, textOf, type Json } from '../json.ts';
import { countArgument, integerArgument } from './arguments.ts';
import { perCharacter, type Filter } from './filter.ts';

/** `slice: start, length = 1` of a text or a list; a negative start counts from the end. */
export const slice: Filter = {
  args: [1, 2],
  weight: perCharacter,
  bind(args) {
    const start = integerArgument(args, 0);
    const count = countArgument(args, 1, 1);
    return (value) => {
      if (value === null) return null;
      if (Array.isArray(value)) return take(value, start, count);
      if (isObject(value)) throw new ExpressionError('needs a text or a list');
      return take([...textOf(value)], start, count).join('');
    };
  },
};

function take<Item extends Json>(items: readonly Item[], start: number, count: number): Item[] {
  const from = start < 0 ? items.length + start : start;
  return from < 0 ? [] : items.slice(from, from + count);
}
