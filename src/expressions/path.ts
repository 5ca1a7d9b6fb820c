import { isObject, type Json } from './json.ts';
import type { Path } from './syntax.ts';

/** What an expression can name, usually `data`. */
export type Bindings = Readonly<Record<string, Json>>;

/** The value at the path, null when there is none. Only own properties exist. */
export function readPath(bindings: Bindings, path: Path): Json {
  const [root, ...rest] = path;
  if (root === undefined || !Object.hasOwn(bindings, root)) return null;
  let value = bindings[root] ?? null;
  for (const key of rest) value = readMember(value, key);
  return value;
}

function readMember(value: Json, key: string | number): Json {
  if (Array.isArray(value)) return readArray(value, key);
  if (typeof value === 'string') return key === 'size' ? value.length : null;
  if (!isObject(value) || !Object.hasOwn(value, key)) return null;
  return value[key] ?? null;
}

function readArray(value: Json[], key: string | number): Json {
  switch (key) {
    case 'size':
      return value.length;
    case 'first':
      return value[0] ?? null;
    case 'last':
      return value.at(-1) ?? null;
    default:
      return typeof key === 'number' ? (value.at(key) ?? null) : null;
  }
}
