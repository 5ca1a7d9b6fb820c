import type { SecretPath } from '#domain/token/types/tokenType.ts';
import { maskLeaves, readPath, referencesOf } from '#expressions/index.ts';
import type { FilterCall, Output, Path } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';

/**
 * Whether a mask may show anything of the data that another one could not. The expressions alone decide, so that the
 * answer says nothing of the data. A mask that cannot be proven to show no more counts too.
 * @param before undefined: no data was shown
 */
export function showsMoreThan(before: unknown, after: unknown): boolean {
  if (after === undefined) return false;
  const known = before === undefined ? [] : maskLeaves(before as Json);
  const texts = new Set(known.map(({ text }) => text));
  const outputs = known.flatMap((leaf) => leaf.outputs);
  return maskLeaves(after as Json).some(
    (leaf) => !texts.has(leaf.text) && !leaf.outputs.every((output) => isWithin(output, outputs)),
  );
}

/** What may be read anew is within what was read before: a whole value, or at least as many of its last characters. */
function isWithin(output: Output, known: readonly Output[]): boolean {
  const references = referencesOf(output).filter(isOfData);
  const isBelowWholes = references.every((path) => known.some((one) => isPrefix(wholeOf(one), path)));
  if (isBelowWholes) return true;
  const shown = lastShown(output);
  return shown !== undefined && known.some((one) => covers(lastShown(one), shown));
}

/** The path of an output that shows a value as it is. */
const wholeOf = ({ operand, filters }: Output): Path | undefined =>
  operand.kind === 'path' && filters.length === 0 ? operand.path : undefined;

/** Whether an output shows a value with everything in it, so that nothing is left to be found out. */
const showsAll = ({ operand, filters }: Output): boolean =>
  operand.kind === 'path' && filters.every(({ name }) => wholeTexts.has(name));

const wholeTexts: ReadonlySet<string> = new Set(['stringify', 'json_stringify']);

type LastShown = { path: Path; count: number; tellsLength: boolean };

/** What an output shows that gives the last characters of a value, and nothing else. */
function lastShown({ operand, filters }: Output): LastShown | undefined {
  const [filter, ...others] = filters;
  if (operand.kind !== 'path' || filter === undefined || others.length > 0) return undefined;
  const { path } = operand;
  if (filter.name === 'last4') return { path, count: 4, tellsLength: false };
  const [given] = literalsOf(filter) ?? [];
  const count = countOf(given);
  if (filter.name !== 'reveal_last' || count === undefined) return undefined;
  return { path, count, tellsLength: true };
}

const covers = (before: LastShown | undefined, after: LastShown): boolean =>
  before !== undefined &&
  before.path.length === after.path.length &&
  isPrefix(before.path, after.path) &&
  before.count >= after.count &&
  (before.tellsLength || !after.tellsLength);

/**
 * Whether a mask shows one of the type's secrets in more than its first six digits (eight, of sixteen or more) and
 * its last four: the most that PCI DSS 3.4.1 lets anybody see who has no need of the number.
 * Of the data only the shape counts.
 */
export function exposes(mask: unknown, secretPaths: readonly SecretPath[], data: Json): boolean {
  if (mask === undefined || secretPaths.length === 0) return false;
  const outputs = maskLeaves(mask as Json).flatMap((leaf) => leaf.outputs);
  return outputs.some((output) => exposesBy(output, secretPaths, data));
}

function exposesBy(output: Output, secretPaths: readonly SecretPath[], data: Json): boolean {
  return secretPaths.some(({ path, mayShowEnds }) => {
    const secret = readPath({ data }, ['data', ...path]);
    if (secret === null) return false;
    if (!referencesOf(output).some((read) => isPrefix(read, ['data', ...path]))) return false;
    const length = typeof secret === 'string' ? secret.length : 0;
    return !mayShowEnds || !showsOnlyEnds(output, ['data', ...path], length);
  });
}

/**
 * Whether an expression renders a part of one of the secrets, beyond its ends: with own values one can make a dictionary
 * of a part, and none of the whole. Of the data only the shape counts.
 */
export function tellsPart(expression: string, secretPaths: readonly SecretPath[], data: Json): boolean {
  const wholes = secretPaths.map(({ path }) => ['data', ...path]);
  const outputs = maskLeaves(expression).flatMap((leaf) => leaf.outputs);
  const parts = outputs.filter((output) => !wholes.some((path) => isSame(wholeOf(output), path)));
  return parts.some((output) => exposesBy(output, secretPaths, data));
}

/**
 * Whether one expression of a mask reads members that a patch names together with others that it leaves as they are:
 * who writes the one and sees what is rendered could find out the other. Of data and patch only the shape counts.
 * @param data as it will be
 */
export function mixes(mask: unknown, patch: Json, data: Json): boolean {
  if (mask === undefined) return false;
  const named = leafPaths(patch, ['data']);
  const kept = leafPaths(data, ['data']).filter((path) => !named.some((each) => isPrefix(each, path)));
  const outputs = maskLeaves(mask as Json).flatMap((leaf) => leaf.outputs);
  return outputs.some((output) => {
    if (showsAll(output)) return false;
    const read = referencesOf(output);
    const touches = (paths: readonly Path[]): boolean =>
      read.some((one) => paths.some((path) => isPrefix(one, path) || isPrefix(path, one)));
    return touches(named) && touches(kept);
  });
}

/** Where values lie that have no members; an array counts as one value, as it does in a patch. */
function leafPaths(value: Json, path: Path): Path[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([name, member]) => leafPaths(member, [...path, name]));
}

/** Whether a secret is read by the operand alone, and cut before anything else is done with it. */
function showsOnlyEnds({ operand, filters }: Output, secret: Path, length: number): boolean {
  const [first] = filters;
  if (operand.kind !== 'path' || operand.path.length !== secret.length || first === undefined) return false;
  const others = filters.flatMap(({ args }) => args);
  if (others.some((arg) => arg.kind === 'path' && isPrefix(arg.path, secret))) return false;
  const args = literalsOf(first);
  return args !== undefined && cutsToEnds(first.name, args, length < 16 ? 6 : 8);
}

function cutsToEnds(filter: string, args: readonly unknown[], bin: number): boolean {
  const [one, two, , preserved] = args;
  const preservesNone = (preserved ?? '') === '';
  const isUpTo = (value: unknown, most: number): boolean => (countOf(value ?? 0) ?? Infinity) <= most;
  switch (filter) {
    case 'last4':
      return true;
    case 'card_bin':
      // Another one could be a digit, and what is left then would not be the beginning.
      return ['', ' ', '-'].includes((one ?? '') as string);
    case 'reveal_last':
      return isUpTo(one, 4);
    case 'card_mask':
      return preservesNone;
    case 'reveal':
      return isUpTo(one, bin) && isUpTo(two, 4) && preservesNone;
    case 'slice':
      return countOf(one) === 0 && isUpTo(two ?? 1, bin);
    default:
      return false;
  }
}

function literalsOf({ args }: FilterCall): unknown[] | undefined {
  const literals = args.flatMap((arg) => (arg.kind === 'literal' ? [arg.value] : []));
  return literals.length === args.length ? literals : undefined;
}

/** Filters take numbers in quotes too. */
const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' || (typeof value === 'string' && /^\d{1,9}$/.test(value))
    ? Number(value)
    : undefined;

const isOfData = ([root]: Path): boolean => root === 'data';

const isSame = (one: Path | undefined, other: Path): boolean =>
  one?.length === other.length && isPrefix(one, other);

const isPrefix = (start: Path | undefined, path: Path): boolean =>
  start !== undefined && start.length <= path.length && start.every((name, index) => name === path[index]);
