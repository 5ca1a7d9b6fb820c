/** Any JSON value. Stated here again because this folder imports nothing from the house. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isComplex = (value: Json): value is Json[] | JsonObject =>
  typeof value === 'object' && value !== null;

/** Plain assignment to `__proto__` would set the prototype and lose the data. */
export function setOwn(target: JsonObject, key: string, value: Json): void {
  if (key !== '__proto__') {
    target[key] = value;
    return;
  }
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The text a value has inside a longer text: nothing for null, compact JSON for objects and arrays. */
export function textOf(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * About how many characters the value has as JSON. Stops as soon as `limit` is passed, so a huge value
 * costs no more than the limit.
 */
export function jsonSize(value: Json, limit: number): number {
  const pending: Json[] = [value];
  let size = 0;
  while (pending.length > 0 && size <= limit) {
    const next = pending.pop();
    if (next === undefined) break;
    size += 2;
    if (typeof next === 'string') size += next.length;
    else if (typeof next === 'number') size += String(next).length - 1;
    else if (Array.isArray(next)) for (const item of next) pending.push(item);
    else if (isObject(next)) size += pushMembers(next, pending);
    else size += 3;
  }
  return size;
}

function pushMembers(value: JsonObject, pending: Json[]): number {
  let keys = 0;
  for (const key in value) {
    const member = value[key];
    if (member === undefined) continue;
    keys += key.length + 3;
    pending.push(member);
  }
  return keys;
}

/** Looks no deeper than the limit, so it is safe on values that would overflow the stack. */
export function isDeeperThan(value: Json, depth: number): boolean {
  if (!isComplex(value)) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeperThan(member, depth - 1));
}
