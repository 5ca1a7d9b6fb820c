import { isHole } from '#test/fuzz/support/values.ts';

type Place = readonly (string | number)[];

/** A copy of a JSON value in which one member, chosen by a number, is replaced, missing, or joined by another. */
export function mutated(value: unknown, where: number, by: unknown): unknown {
  const places = placesIn(value, []);
  const place = places[where % places.length] ?? [];
  switch (where % 5) {
    case 0:
      return changedAt(value, place, () => undefined);
    case 1:
      return changedAt(value, place, (old) => (isObject(old) ? { ...old, unexpected: by } : by));
    case 2:
      return changedAt(value, place, (old) => [old]);
    case 3:
      return changedAt(value, place, (old) => (typeof old === 'string' ? `${old}${textOf(by)}` : by));
    default:
      return changedAt(value, place, () => by);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 40) : '\0');

function placesIn(value: unknown, at: Place): Place[] {
  if (!isObject(value) && !Array.isArray(value)) return [at];
  const below = Array.isArray(value)
    ? value.flatMap((item: unknown, index) => placesIn(item, [...at, index]))
    : Object.entries(value).flatMap(([name, member]) => placesIn(member, [...at, name]));
  return [at, ...below];
}

/** What becomes undefined is left out when it is written as JSON. */
function changedAt(value: unknown, place: Place, change: (old: unknown) => unknown): unknown {
  const [step, ...rest] = place;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === step ? changedAt(item, rest, change) : item));
  }
  if (!isObject(value)) return value;
  return { ...value, [step]: changedAt(value[step], rest, change) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isHole(value);
