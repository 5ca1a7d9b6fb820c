import type { LiveToken } from '#domain/token/state.ts';
import { isObject } from '#domain/token/types/tokenType.ts';
import type { BinTable } from '#ports/binTable.ts';
import type { Json, JsonObject } from '#ports/json.ts';

/**
 * What is known of a card by its number; undefined for anything else. Source: reference of token enrichments.
 * @param binTable only when the tenant has turned these details on
 */
export function enrichmentsOf(
  { type }: Pick<LiveToken, 'type'>,
  data: Json,
  binTable: BinTable | undefined,
): JsonObject | undefined {
  const number = cardNumberOf(type, data);
  if (number === undefined) return undefined;
  const binDetails = binTable?.find(number);
  return {
    card_details: { bin: number.slice(0, number.length < 16 ? 6 : 8), last4: number.slice(-4) },
    ...(binDetails === undefined ? {} : { bin_details: binDetails }),
  };
}

function cardNumberOf(type: string, data: Json): string | undefined {
  if (type === 'card_number') return typeof data === 'string' ? data : undefined;
  if (type !== 'card' || !isObject(data)) return undefined;
  const { number } = data as Record<string, Json>;
  return typeof number === 'string' ? number : undefined;
}
