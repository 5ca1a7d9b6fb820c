import { isObject } from '#domain/token/types/tokenType.ts';
import type { TokenType } from '#domain/token/types/tokenType.ts';
import type { Json } from '#ports/json.ts';

/** Data in two: what lasts as long as the token, and the value of the property that is gone after an hour. */
export function partShortLived(type: TokenType, data: Json): { lasting: Json; shortLived: Json | undefined } {
  const property = type.shortLivedProperty;
  if (property === undefined || !isObject(data)) return { lasting: data, shortLived: undefined };
  const { [property]: shortLived, ...lasting } = data as Record<string, Json>;
  return { lasting, shortLived };
}

/** Data as it was given: the lasting part and, while it lives, the short-lived property. */
export function joinShortLived(type: TokenType, data: Json, shortLived: Json | undefined): Json {
  const property = type.shortLivedProperty;
  if (property === undefined || shortLived === undefined || !isObject(data)) return data;
  return { ...data, [property]: shortLived };
}
