/** What lies in a JSON value at a path; `undefined` wherever the path ends early. */
export function at(json: unknown, ...path: readonly string[]): unknown {
  let value = json;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

export function textAt(json: unknown, ...path: readonly string[]): string | undefined {
  const value = at(json, ...path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberAt(json: unknown, ...path: readonly string[]): number | undefined {
  const value = at(json, ...path);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function listAt(json: unknown, ...path: readonly string[]): readonly unknown[] {
  const value = at(json, ...path);
  return Array.isArray(value) ? value : [];
}

/** `undefined`: no JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/** Leaves out what is `undefined`. */
export function compact<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}
