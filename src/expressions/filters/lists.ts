import { ExpressionError } from '../error.ts';
import { isComplex, isObject, textOf, type Json } from '../json.ts';
import { textArgument } from './arguments.ts';
import { perCharacter, type Filter } from './filter.ts';

/** The standard filters on lists, after Liquid: written out, because its own parse names and look at prototypes. */

type OfList = (items: readonly Json[], args: readonly Json[]) => Json;

/** Comparisons of a sort, for each item of a list as long as a value may be. */
const sorting = 40;

function ofList(args: Filter['args'], apply: OfList, weight = perCharacter): Filter {
  return { args, weight, bind: (given) => (value) => apply(itemsOf(value), given) };
}

/** Nothing has no items, and a value that is no list is the only one. */
function itemsOf(value: Json): readonly Json[] {
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** A member of an item by its name; a list of lists has none. */
const memberOf = (item: Json, name: string): Json =>
  isObject(item) && Object.hasOwn(item, name) ? (item[name] ?? null) : null;

/** An item, or the member of it that an argument names. */
const keyed = (args: readonly Json[]): ((item: Json) => Json) => {
  if ((args[0] ?? null) === null) return (item) => item;
  const name = textArgument(args, 0);
  return (item) => memberOf(item, name);
};

function scalarOf(value: Json): null | boolean | number | string {
  if (isComplex(value)) throw new ExpressionError('cannot compare objects or lists');
  return value;
}

/** Numbers by their value, else texts by their characters; what is not there comes last. */
function compare(one: Json, other: Json): number {
  const [a, b] = [scalarOf(one), scalarOf(other)];
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareTexts(textOf(a), textOf(b));
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const lowered = (value: Json): Json => (scalarOf(value) === null ? null : textOf(value).toLowerCase());

/** `name` alone: whether the member says yes; `name, value`: whether it is that. */
function matching(args: readonly Json[]): (item: Json) => boolean {
  const name = textArgument(args, 0);
  if (args.length < 2) {
    return (item) => {
      const value = memberOf(item, name);
      return value !== null && value !== false;
    };
  }
  const wanted = scalarOf(args[1] ?? null);
  return (item) => memberOf(item, name) === wanted;
}

function numberOf(value: Json): number {
  const number = typeof value === 'string' ? Number(value.trim() || NaN) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : 0;
}

const orNull = (value: Json | undefined): Json => value ?? null;
const foundAt = (index: number): Json => (index === -1 ? null : index);

export const listFilters: readonly (readonly [name: string, filter: Filter])[] = [
  ['compact', ofList([0, 1], (items, args) => items.filter((item) => keyed(args)(item) !== null))],
  [
    'concat',
    ofList([1, 1], (items, [other = null]) => {
      if (!Array.isArray(other)) throw new ExpressionError('the argument must be a list');
      return [...items, ...other];
    }),
  ],
  ['find', ofList([1, 2], (items, args) => orNull(items.find(matching(args))))],
  ['find_index', ofList([1, 2], (items, args) => foundAt(items.findIndex(matching(args))))],
  ['has', ofList([1, 2], (items, args) => items.some(matching(args)))],
  ['map', ofList([1, 1], (items, args) => items.map(keyed(args)))],
  ['reject', ofList([1, 2], (items, args) => withoutMatching(items, matching(args)))],
  ['reverse', ofList([0, 0], (items) => items.toReversed())],
  ['sort', ofList([0, 1], (items, args) => sorted(items, keyed(args)), sorting)],
  [
    'sort_natural',
    ofList([0, 1], (items, args) => sorted(items, (item) => lowered(keyed(args)(item))), sorting),
  ],
  [
    'sum',
    ofList([0, 1], (items, args) =>
      items.map(keyed(args)).reduce<number>((sum, one) => sum + numberOf(one), 0),
    ),
  ],
  ['uniq', ofList([0, 1], (items, args) => withoutRepetitions(items, keyed(args)))],
  ['where', ofList([1, 2], (items, args) => items.filter(matching(args)))],
];

const withoutMatching = (items: readonly Json[], matches: (item: Json) => boolean): Json[] =>
  items.filter((item) => !matches(item));

function sorted(items: readonly Json[], keyOf: (item: Json) => Json): Json[] {
  const keys = items.map((item) => ({ item, key: scalarOf(keyOf(item)) }));
  return keys.sort((a, b) => compare(a.key, b.key)).map(({ item }) => item);
}

function withoutRepetitions(items: readonly Json[], keyOf: (item: Json) => Json): Json[] {
  const seen = new Set<Json>();
  return items.filter((item) => {
    const key = scalarOf(keyOf(item));
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
