import { isObject } from '#domain/token/types/tokenType.ts';
import type { Json, JsonObject } from '#ports/json.ts';

/** The card numbers in requests for tokens, and in changes of them: of cards, and of tokens that are a number. */
export function cardNumbersIn(requests: readonly JsonObject[]): string[] {
  return requests.flatMap(({ type, data }) => {
    if (type === 'card_number' && typeof data === 'string') return [data];
    if (type !== undefined && type !== 'card') return [];
    const number = isObject(data) ? (data as Record<string, Json>)['number'] : undefined;
    return typeof number === 'string' && /^\d{13,19}$/.test(number) ? [number] : [];
  });
}
