import type { Json } from '../json.ts';
import type { Run } from '../run.ts';

/** The weight of filters that take a value apart. */
export const perCharacter = 5;

export type Apply = (value: Json, run: Run) => Json;

/** A filter checks its arguments once (`bind`) and is then applied to values. Both may throw ExpressionError. */
export type Filter = {
  /** The fewest and the most arguments. */
  readonly args: readonly [fewest: number, most: number];
  readonly bind: (args: readonly Json[]) => Apply;
  /** Work units for each character or item of the value; 1 unless given, for values handled in bulk. */
  readonly weight?: number;
  /** Longest text it may take in and give out, where that is not the usual limit. */
  readonly textLength?: number;
  readonly random?: true;
};
