import { networkOf } from '#domain/accountUpdater/cardNetwork.ts';
import type { ErrorCode } from '#domain/accountUpdater/resultCodes.ts';
import type { CardExpiration, CardInquiry } from '#ports/cardNetworks.ts';
import { isMerchant } from '#src/accountUpdater/merchants.ts';
import type { Row } from '#src/accountUpdater/readRows.ts';

/** What the vault keeps of a card; months and years as numbers, where there are any. */
export type StoredCard = { number: string; expirationMonth?: number; expirationYear?: number };

export type Verdict = { inquiry: CardInquiry } | { code: ErrorCode };

/**
 * Whether networks are asked about a row. What is wrong with it is looked for in this order: its token, its merchant,
 * its expiration, the number.
 * @param card undefined: the tenant has no such token, or it is no card
 * @param merchants of the tenant; undefined: it has no list, and any name passes
 */
export function judgeRow(
  row: Row,
  card: StoredCard | undefined,
  merchants: ReadonlySet<string> | undefined,
): Verdict {
  if (card === undefined) return { code: 'ERR_INVALID_TOKEN' };
  const { merchantId } = row;
  if (!isMerchant(merchantId, merchants)) return { code: 'ERR_INVALID_CONFIG' };
  return judgeCard(card, expirationOf(row, card), merchantId);
}

/**
 * Whether networks are asked about a card: first its expiration is looked at, then the number.
 * @param expiration undefined: there is none, or none that can be
 */
export function judgeCard(
  card: StoredCard,
  expiration: CardExpiration | undefined,
  merchantId: string,
): Verdict {
  if (expiration === undefined) return { code: 'ERR_INVALID_EXP_DATE' };
  const network = networkOf(card.number);
  if (network === undefined) return { code: 'ERR_INVALID_PAN' };
  return { inquiry: { network, number: card.number, expiration, merchantId } };
}

/** What the row says comes before what is stored. */
function expirationOf(row: Row, card: StoredCard): CardExpiration | undefined {
  const month = row.expirationMonth === '' ? card.expirationMonth : twoDigits(row.expirationMonth);
  const year = row.expirationYear === '' ? card.expirationYear : centuryOf(twoDigits(row.expirationYear));
  return checkedExpiration(month, year);
}

/** Undefined: something is missing, or there is no such month. */
export function checkedExpiration(
  month: number | undefined,
  year: number | undefined,
): CardExpiration | undefined {
  if (month === undefined || year === undefined || month < 1 || month > 12) return undefined;
  return { month, year };
}

const twoDigits = (cell: string): number | undefined => (/^\d{2}$/.test(cell) ? Number(cell) : undefined);

const centuryOf = (year: number | undefined): number | undefined =>
  year === undefined ? undefined : 2000 + year;
