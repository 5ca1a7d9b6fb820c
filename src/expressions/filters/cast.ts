import { ExpressionError } from '../error.ts';
import { isComplex, type Json } from '../json.ts';
import { limits } from '../limits.ts';
import type { Filter } from './filter.ts';

const decimal = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/;

/** Compact JSON; a text is given as it is. */
export const stringify: Filter = {
  args: [0, 0],
  textLength: limits.stringifiedLength,
  weight: 0,
  bind: () => (value, run) => {
    if (value === null || typeof value === 'string') return value;
    const text = JSON.stringify(value);
    // Half of the budget at most: once, any data that a request can carry becomes JSON, whatever it is made of.
    run.work.spend(Math.min(text.length / 3, limits.work / 2));
    return text;
  },
};

export const toText: Filter = cast((value) => String(value));

export const toNumber: Filter = cast((value) => {
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value.trim() : '';
  const number = decimal.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) throw new ExpressionError('the value is not a number');
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new ExpressionError('the value has more digits than a number can hold');
  }
  return number;
});

export const toBoolean: Filter = cast((value) => {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (text !== 'true' && text !== 'false') throw new ExpressionError('the value is not true or false');
  return text === 'true';
});

function cast(convert: (value: string | number | boolean) => Json): Filter {
  return {
    args: [0, 0],
    bind: () => (value) => {
      if (value === null) return null;
      if (isComplex(value)) throw new ExpressionError('an object or a list cannot be cast');
      return convert(value);
    },
  };
}
