import * as assert from 'uvu/assert';
import { ExpressionError, renderText, type Random } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';

export const render = (text: string, data: Json, random?: Random): Json =>
  renderText(text, { data }, { random });

/** The error of an expression that must fail. */
export function failure(text: string, data: Json = null, random?: Random): ExpressionError {
  try {
    render(text, data, random);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  return assert.unreachable(`${text} did not fail`) as never;
}

/** Each row: the data, the expression's inside, the result. */
export function checkVectors(rows: readonly (readonly [data: Json, inside: string, result: Json])[]): void {
  for (const [data, inside, result] of rows) assert.equal(render(`{{ ${inside} }}`, data), result, inside);
}

/** Repeatable digits that look random. */
export function seededRandom(seed = 1): Random {
  let state = seed;
  return (maxExclusive) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % maxExclusive;
  };
}
