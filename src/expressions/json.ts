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
 * How many characters the value has as JSON, escapes and all. Stops as soon as `limit` is passed, so a huge value
 * costs no more than the limit.
 */
export function jsonSize(value: Json, limit: number): number {
  const pending: Json[] = [value];
  let size = 0;
  while (pending.length > 0 && size <= limit) {
    const next = pending.pop() ?? null;
    if (typeof next === 'string') size += textSize(next, limit - size);
    else if (Array.isArray(next)) {
      size += 2 + Math.max(0, next.length - 1);
      // An item has one character at least.
      if (size + next.length > limit) return size + next.length;
      for (const item of next) pending.push(item);
    } else if (isObject(next)) size += pushMembers(next, pending, limit - size);
    else size += String(next).length;
  }
  return size;
}

function pushMembers(value: JsonObject, pending: Json[], limit: number): number {
  let size = 2;
  let members = 0;
  for (const key of Object.keys(value)) {
    size += textSize(key, limit) + (members === 0 ? 1 : 2);
    members += 1;
    pending.push(value[key] ?? null);
  }
  return size;
}

/** A text that is too long in itself is not looked through for escapes. */
const textSize = (text: string, limit: number): number =>
  text.length > limit ? text.length + 2 : JSON.stringify(text).length;

/** Looks no deeper than the limit, so it is safe on values that would overflow the stack. */
export function isDeeperThan(value: Json, depth: number): boolean {
  if (!isComplex(value)) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeperThan(member, depth - 1));
}
