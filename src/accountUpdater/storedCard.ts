import type { JsonObject } from '#ports/json.ts';
import type { StoredCard } from '#src/accountUpdater/judgeRow.ts';

/** What the data of a card token says of its card. */
export function storedCardOf({
  number,
  expiration_month,
  expiration_year,
}: JsonObject): StoredCard | undefined {
  if (typeof number !== 'string') return undefined;
  return {
    number,
    ...(typeof expiration_month === 'number' ? { expirationMonth: expiration_month } : {}),
    ...(typeof expiration_year === 'number' ? { expirationYear: expiration_year } : {}),
  };
}
