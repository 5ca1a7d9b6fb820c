import type { Json, JsonObject } from '#ports/json.ts';

/**
 * JSON merge patch (RFC 7386). Neither argument is changed. Keys such as `__proto__` are data like any other.
 */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map<string, Json>(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key) ?? null, value));
  }
  return Object.fromEntries(merged);
}

const isJsonObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
