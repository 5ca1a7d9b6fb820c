import { isResultCode } from '#domain/accountUpdater/resultCodes.ts';
import type { ResultCode } from '#domain/accountUpdater/resultCodes.ts';
import type { CardAnswer, CardExpiration, CardInquiry } from '#ports/cardNetworks.ts';
import type { Json } from '#ports/json.ts';

/** What a card is from now on. */
export type RenewedCard = {
  number: string;
  expiration: CardExpiration;
  /** Whether it is another one than the networks were asked with. */
  isNewExpiration: boolean;
};

/** What was found out about a row; rows of which nothing is to be said have none. */
export type Finding = { code: ResultCode; renewed?: RenewedCard };

/** Undefined: nothing has changed. */
export function findingOf(inquiry: CardInquiry, answer: CardAnswer): Finding | undefined {
  const { code, number, expiration } = answer;
  if (code === undefined) return undefined;
  if (!code.startsWith('UPD') || (number === undefined && expiration === undefined)) return { code };
  const { month, year } = inquiry.expiration;
  const isNewExpiration =
    expiration !== undefined && (expiration.month !== month || expiration.year !== year);
  return {
    code,
    renewed: {
      number: number ?? inquiry.number,
      expiration: expiration ?? inquiry.expiration,
      isNewExpiration,
    },
  };
}

/** Findings by the number of their row, as the vault keeps them: the shape never changes its meaning. */
export const storedFindings = (findings: ReadonlyMap<number, Finding>): Json =>
  [...findings].map(([row, { code, renewed }]) => {
    if (renewed === undefined) return [row, code];
    const { number, expiration, isNewExpiration } = renewed;
    return [row, code, number, expiration.month, expiration.year, isNewExpiration];
  });

/** @throws TypeError when it is something else */
export function findingsIn(stored: Json): Map<number, Finding> {
  if (!Array.isArray(stored)) throw new TypeError('not what was found out about rows');
  return new Map(stored.map(entryOf));
}

function entryOf(stored: Json): [number, Finding] {
  if (!Array.isArray(stored)) throw new TypeError('not what was found out about a row');
  const [row, code, number, month, year, isNewExpiration] = stored;
  if (typeof row !== 'number' || !isResultCode(code)) throw new TypeError('not a row and its code');
  if (typeof number !== 'string' || typeof month !== 'number' || typeof year !== 'number') {
    return [row, { code }];
  }
  const renewed = { number, expiration: { month, year }, isNewExpiration: isNewExpiration === true };
  return [row, { code, renewed }];
}
