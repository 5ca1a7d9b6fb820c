import type { JsonObject } from '#ports/json.ts';

/** What is known of the cards whose numbers begin alike. */
export interface BinTable {
  /** The details under the longest BIN that the number begins with. Source: reference of token enrichments. */
  find(cardNumber: string): JsonObject | undefined;
}
