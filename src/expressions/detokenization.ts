import { compileFilters, type Pipeline } from './compile.ts';
import { Cursor } from './cursor.ts';
import { ExpressionError } from './error.ts';
import { concatenate } from './expression.ts';
import { goesInto } from './filters/jsonPath.ts';
import { isDeeperThan, isObject, setOwn, type Json, type JsonObject } from './json.ts';
import { limits } from './limits.ts';
import { newRun, type Run } from './run.ts';
import { parseEnd, parseFilters, type FilterCall } from './syntax.ts';

/**
 * `{{ id | … }}` asks for a token's data, `{{ token: id | … }}` for the token as a whole, which is without what only
 * `{{ token: id | json: '$.enrichments…' | … }}` asks for.
 */
export type TokenReference = { readonly id: string; readonly wants: 'data' | 'token' | 'enrichments' };

/** Gives the value that a reference stands for. Called only with references that were listed. */
export type TokenLookup = (reference: TokenReference) => Json;

export type Detokenization = {
  /** Every reference once, in the order of their first use. */
  readonly references: readonly TokenReference[];
  /** The texts that refer to some of these tokens: which ones, by the path of the text. The first hundred. */
  readonly placesOf: (ids: ReadonlySet<string>) => ReadonlyMap<string, readonly string[]>;
  /**
   * The value with every expression replaced: a text that is one expression by the JSON value itself.
   * @throws ExpressionError with the `path` of the text that failed
   */
  readonly resolve: (lookup: TokenLookup) => Json;
};

type Placeholder = { readonly reference: TokenReference; readonly apply: Pipeline };
type Part = string | Placeholder;

const tokenPrefix = /token\s*:\s*/y;
const tokenId = /[^|{}]+/y;

/**
 * Finds the expressions in all texts of the value. Nothing of it is cached, for such texts may be secret.
 * @throws ExpressionError with the `path` of the text that is wrong
 */
export function parseDetokenization(value: Json): Detokenization {
  if (isDeeperThan(value, limits.valueDepth)) throw new ExpressionError('The value is too deeply nested');
  const parsed = new Map<string, readonly Part[]>();
  let count = 0;
  mapTexts(value, '', (text) => {
    if (!text.includes('{{')) return text;
    const parts = parsed.get(text) ?? parseText(text);
    count += parts.length;
    if (count > limits.references) throw new ExpressionError('There are too many expressions');
    parsed.set(text, parts);
    return text;
  });
  return {
    references: referencesIn([...parsed.values()].flat()),
    placesOf(ids) {
      const places = new Map<string, readonly string[]>();
      mapTexts(value, '', (text, path) => {
        const named = referencesIn(parsed.get(text) ?? []).flatMap(({ id }) => (ids.has(id) ? [id] : []));
        if (named.length > 0 && places.size < limits.places) {
          places.set(path, [...new Set([...(places.get(path) ?? []), ...named])]);
        }
        return text;
      });
      return places;
    },
    resolve(lookup) {
      const run = newRun();
      return mapTexts(value, '', (text) => {
        const parts = parsed.get(text);
        return parts === undefined ? text : renderParts(parts, lookup, run);
      });
    },
  };
}

function referencesIn(parts: readonly Part[]): TokenReference[] {
  const found = new Map<string, TokenReference>();
  for (const part of parts) {
    if (typeof part === 'string') continue;
    const { id, wants } = part.reference;
    found.set(`${wants} ${id}`, part.reference);
  }
  return [...found.values()];
}

/** How a text of a value is replaced; it stands at a path like `cards[0].number`. */
type Replace = (text: string, path: string) => Json;

/** A copy of the value with each text replaced; errors learn the path of the text, like `cards[0].number`. */
function mapTexts(value: Json, path: string, replace: Replace): Json {
  if (typeof value === 'string') return replaceAt(value, path, replace);
  if (Array.isArray(value)) {
    return value.map((item, index) => mapTexts(item, `${path}[${String(index)}]`, replace));
  }
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    setOwn(copy, key, mapTexts(member, path === '' ? key : `${path}.${key}`, replace));
  }
  return copy;
}

function replaceAt(text: string, path: string, replace: Replace): Json {
  try {
    return replace(text, path);
  } catch (error) {
    throw error instanceof ExpressionError ? error.under(path) : error;
  }
}

/** The plain texts and placeholders of a text. A `{%` is plain text here: this is data, not a template. */
function parseText(text: string): Part[] {
  const cursor = new Cursor(text);
  const parts: Part[] = [];
  for (let before = cursor.takeUntil('{{'); before !== undefined; before = cursor.takeUntil('{{')) {
    if (before !== '') parts.push(before);
    cursor.expect('{{');
    parts.push(parsePlaceholder(cursor));
  }
  const rest = text.slice(cursor.position);
  return rest === '' ? parts : [...parts, rest];
}

/** Ids hold dashes, spaces, dots and more, so an id is everything up to the first filter or the end. */
function parsePlaceholder(cursor: Cursor): Placeholder {
  const start = cursor.position;
  cursor.skipBlanks();
  const isWhole = cursor.match(tokenPrefix) !== undefined;
  const id = cursor.match(tokenId)?.trim() ?? '';
  if (id === '' || id.length > limits.tokenIdLength) cursor.fail('Expected the id of a token', start);

  const calls = parseFilters(cursor);
  parseEnd(cursor);
  if (cursor.position - start > limits.expressionLength) cursor.fail('The expression is too long', start);
  const computed = calls.find((call) => call.args.some((arg) => arg.kind === 'path'));
  if (computed !== undefined) cursor.fail(`${computed.name}: only literal arguments`, computed.position);
  const apply = compileFilters(calls);
  return { reference: { id, wants: isWhole ? wantedOf(calls) : 'data' }, apply };
}

const wantedOf = ([first]: readonly FilterCall[]): 'token' | 'enrichments' =>
  first !== undefined && goesInto(first, 'enrichments') ? 'enrichments' : 'token';

function renderParts(parts: readonly Part[], lookup: TokenLookup, run: Run): Json {
  const values = parts.map((part) =>
    typeof part === 'string' ? part : part.apply(lookup(part.reference), {}, run),
  );
  const [lone] = values;
  if (lone === undefined || values.length > 1) return concatenate(values, run);
  if (!run.work.mayShow(lone)) throw new ExpressionError('the result is too large');
  return lone;
}
