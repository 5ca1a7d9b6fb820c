/** Calls by the name of the method that they make. */
export type Operations = Record<string, () => Promise<unknown>>;

/** An id of the right form that nothing has. */
export const absentId = '6f1a5a1e-7b0c-4d55-9f6f-3f6f6f0d2b11';

/** The names of the methods that a part of a library offers, inherited ones too, in order. */
export function methodsOf(part: object): string[] {
  const names = new Set<string>();
  for (let at = prototypeOf(part); at !== undefined; at = prototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (name !== 'constructor' && !name.startsWith('_')) names.add(name);
    }
  }
  return [...names].sort();
}

function prototypeOf(value: object): object | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  return typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype
    ? prototype
    : undefined;
}
