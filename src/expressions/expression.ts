import { LruCache } from './cache.ts';
import { compileOutput, referencesOf, type Evaluate } from './compile.ts';
import { filterTable } from './filters/table.ts';
import { isComplex, isDeeperThan, textOf, type Json } from './json.ts';
import { ExpressionError } from './error.ts';
import { limits } from './limits.ts';
import type { Bindings } from './path.ts';
import { newRun, type Random, type Run } from './run.ts';
import { hasExpression, parseParts, type Output, type Path } from './syntax.ts';

export { hasExpression } from './syntax.ts';
export type { Bindings } from './path.ts';

/** A parsed text with any number of `{{ }}` in it. It holds no data and may be kept. */
export type Expression = {
  readonly run: Evaluate;
  /** The paths it may read, the root name first: `['data', 'number']`. */
  readonly references: readonly Path[];
  /** Each `{{ }}` of it. */
  readonly outputs: readonly Output[];
  /** Whether another evaluation gives another result: it holds an alias filter. */
  readonly usesRandom: boolean;
};

export type EvaluateOptions = {
  /** Where aliases may be made; without it alias filters fail. */
  readonly random?: Random;
};

const cache = new LruCache<Expression>(limits.cachedCharacters);

/** @throws ExpressionError with what is wrong and where */
export function parseExpression(text: string): Expression {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const expression = compile(parseParts(text));
  cache.set(text, expression);
  return expression;
}

/**
 * The value of the expression: of a lone `{{ }}` the JSON value itself (null when there is none), else text.
 * @throws ExpressionError
 */
export function evaluate(expression: Expression, bindings: Bindings, options: EvaluateOptions = {}): Json {
  return expression.run(bindings, newRun(options));
}

/**
 * Parses and evaluates: for ids, search indexes and fingerprints. Plain text is its own value, and is not
 * cached, for it may be data.
 * @throws ExpressionError
 */
export function renderText(text: string, bindings: Bindings, options: EvaluateOptions = {}): Json {
  return hasExpression(text) ? evaluate(parseExpression(text), bindings, options) : text;
}

/** {@link parseExpression}, or undefined for a text that is wrong. */
export function parsedOrUndefined(text: string): Expression | undefined {
  try {
    return parseExpression(text);
  } catch {
    return undefined;
  }
}

/** Whether a text asks for this property of the data by its name. A wrong one asks for nothing. */
export function namesProperty(text: string, property: string): boolean {
  const references = hasExpression(text) ? parsedOrUndefined(text)?.references : undefined;
  return references?.some(([root, first]) => root === 'data' && first === property) ?? false;
}

function compile(parts: readonly (string | Output)[]): Expression {
  const outputs = parts.filter((part) => typeof part !== 'string');
  return {
    run: compileParts(parts),
    references: outputs.flatMap(referencesOf),
    outputs,
    usesRandom: outputs.some((output) => output.filters.some(({ name }) => filterTable.get(name)?.random)),
  };
}

function compileParts(parts: readonly (string | Output)[]): Evaluate {
  const evaluates = parts.map((part) => (typeof part === 'string' ? () => part : compileOutput(part)));
  const [lone] = evaluates;
  if (lone !== undefined && evaluates.length === 1) return lone;
  return (bindings, run) =>
    concatenate(
      evaluates.map((evaluatePart) => evaluatePart(bindings, run)),
      run,
    );
}

/** The text of several values in a row. */
export function concatenate(values: readonly Json[], run: Run): string {
  let text = '';
  for (const value of values) {
    if (isDeeperThan(value, limits.valueDepth)) throw new ExpressionError('the value is too deeply nested');
    const part = textOf(value);
    run.work.spend(20 + part.length / (isComplex(value) ? 1 : 4));
    text += part;
    if (text.length > limits.joinedLength) throw new ExpressionError('the result is too large');
  }
  return text;
}
