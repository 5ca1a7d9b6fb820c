import { LruCache } from './cache.ts';
import { hasExpression, parsedOrUndefined, type Expression } from './expression.ts';
import { isDeeperThan, isObject, setOwn, type Json, type JsonObject } from './json.ts';
import { limits } from './limits.ts';
import type { Bindings } from './path.ts';
import { newRun, type Run } from './run.ts';
import type { Output, Path } from './syntax.ts';

/** Gives undefined where nothing may be shown. */
type Render = (bindings: Bindings, run: Run) => Json | undefined;
/** A text of a mask that is an expression. */
export type MaskLeaf = { readonly text: string; readonly outputs: readonly Output[] };

type CompiledMask = {
  readonly render: Render;
  readonly references: readonly Path[];
  readonly leaves: readonly MaskLeaf[];
};
type Compilation = { expressions: number; readonly references: Path[]; readonly leaves: MaskLeaf[] };

const cache = new LruCache<CompiledMask>(limits.cachedCharacters);
const hidden: Render = () => undefined;
const hidesAll: CompiledMask = { render: hidden, references: [], leaves: [] };

/**
 * The masked view of the data: the mask with each text evaluated. A member whose expression is bad or null, or gives
 * more than there is room for, is left out; in lists null takes its place. Never throws.
 * @returns undefined when the whole mask is one expression that is bad or null, or is too large
 */
export function applyMask(mask: Json, data: Json): Json | undefined {
  return compiledMask(mask).render({ data }, newRun({ showable: limits.maskedLength }));
}

/**
 * Whether the mask may read this property of the data, and so must be given it. True as well for a mask that
 * takes `data` as a whole.
 */
export function maskMayUse(mask: Json, property: string): boolean {
  return compiledMask(mask).references.some(
    ([root, first]) => root === 'data' && (first === undefined || first === property),
  );
}

/** The expressions of a mask that may show something: those that are wrong show nothing, and are left out. */
export const maskLeaves = (mask: Json): readonly MaskLeaf[] => compiledMask(mask).leaves;

/** What is wrong with a mask that is too large to be stored. A mask that is merely wrong is stored as given. */
export function maskFault(mask: Json): string | undefined {
  const { maskDepth, maskLength, maskExpressions } = limits;
  if (isDeeperThan(mask, maskDepth)) return `must be nested to a depth of at most ${maskDepth} levels`;
  if (JSON.stringify(mask).length > maskLength) {
    return `must be at most ${maskLength.toLocaleString('en-US')} characters long, written as JSON`;
  }
  const compilation: Compilation = { expressions: 0, references: [], leaves: [] };
  compile(mask, compilation);
  return compilation.expressions > maskExpressions
    ? `must hold at most ${maskExpressions} expressions`
    : undefined;
}

function compiledMask(mask: Json): CompiledMask {
  if (isDeeperThan(mask, limits.maskDepth)) return hidesAll;
  const text = JSON.stringify(mask);
  if (text.length > limits.maskLength) return hidesAll;
  const known = cache.get(text);
  if (known !== undefined) return known;
  const compilation: Compilation = { expressions: 0, references: [], leaves: [] };
  const render = compile(mask, compilation);
  const compiled = { render, references: compilation.references, leaves: compilation.leaves };
  cache.set(text, compiled);
  return compiled;
}

function compile(mask: Json, compilation: Compilation): Render {
  if (mask === null) return hidden;
  if (Array.isArray(mask)) return compileList(mask, compilation);
  if (isObject(mask)) return compileObject(mask, compilation);
  return typeof mask === 'string' && hasExpression(mask) ? compileText(mask, compilation) : () => mask;
}

function compileList(mask: readonly Json[], compilation: Compilation): Render {
  const items = mask.map((item) => compile(item, compilation));
  return (bindings, run) => items.map((render) => render(bindings, run) ?? null);
}

function compileObject(mask: JsonObject, compilation: Compilation): Render {
  const members = Object.entries(mask).map(([key, member]) => ({
    key,
    render: compile(member, compilation),
  }));
  return (bindings, run) => {
    const masked: JsonObject = {};
    for (const { key, render } of members) {
      const value = render(bindings, run);
      if (value !== undefined) setOwn(masked, key, value);
    }
    return masked;
  };
}

function compileText(text: string, compilation: Compilation): Render {
  compilation.expressions += 1;
  if (compilation.expressions > limits.maskExpressions) return hidden;
  const expression = parsedOrUndefined(text);
  if (expression === undefined) return hidden;
  compilation.references.push(...expression.references);
  compilation.leaves.push({ text, outputs: expression.outputs });
  return (bindings, run) => renderOrHide(expression, bindings, run);
}

function renderOrHide(expression: Expression, bindings: Bindings, run: Run): Json | undefined {
  if (run.work.exhausted) return undefined;
  try {
    const value = expression.run(bindings, run);
    return value !== null && run.work.mayShow(value) ? value : undefined;
  } catch {
    run.work.spendOnFailure();
    return undefined;
  }
}
