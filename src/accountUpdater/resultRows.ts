import { tokenIdFault } from '#domain/token/id.ts';
import type { ResultCode } from '#domain/accountUpdater/resultCodes.ts';
import type { ResultCounts } from '#domain/accountUpdater/state.ts';
import type { CardExpiration } from '#ports/cardNetworks.ts';
import type { Row } from '#src/accountUpdater/readRows.ts';

export type RowOutcome = {
  row: Row;
  /** Undefined: nothing has changed, and the row is left out. */
  code: ResultCode | undefined;
  newToken?: {
    id: string;
    /** Where it is another than before. */
    expiration?: CardExpiration;
  };
};

export const resultHeader =
  'token,expiration_year,expiration_month,new_token,new_expiration_year,new_expiration_month,result_code\n';

/** The part of the result file that some rows make, in their order; '' when nothing has changed. */
export const resultRows = (outcomes: readonly RowOutcome[]): string => outcomes.map(lineOf).join('');

export function countResults(outcomes: readonly RowOutcome[]): ResultCounts {
  const counts: Record<string, number> = {};
  for (const { code } of outcomes) if (code !== undefined) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

function lineOf({ row, code, newToken }: RowOutcome): string {
  if (code === undefined) return '';
  const cells = [
    tokenCell(row.token) ?? `(row ${row.number})`,
    twoDigitCell(row.expirationYear),
    twoDigitCell(row.expirationMonth),
    newToken === undefined ? '' : newTokenCell(newToken.id),
    ...(newToken?.expiration === undefined
      ? ['', '']
      : [padded(newToken.expiration.year % 100), padded(newToken.expiration.month)]),
    code,
  ];
  return `${cells.join(',')}\n`;
}

/**
 * What spreadsheets take for text: it begins with a letter or digit, and every sign in it is one that ids have. Commas
 * and quotes are among them; they are quoted as RFC 4180 says.
 */
const harmless = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:~!$*();, '"@-]*$/u;

/**
 * A cell that names a token. What cannot be one, or might be run as a formula, is not repeated, and so no card number
 * is that somebody wrote there: undefined.
 */
function tokenCell(id: string): string | undefined {
  if (tokenIdFault(id) !== undefined || !harmless.test(id)) return undefined;
  return /[",]/.test(id) ? `"${id.replaceAll('"', '""')}"` : id;
}

function newTokenCell(id: string): string {
  const cell = tokenCell(id);
  if (cell === undefined) throw new Error('a new token has an id that cannot be written');
  return cell;
}

const twoDigitCell = (cell: string): string => (/^\d{2}$/.test(cell) ? cell : '');

const padded = (value: number): string => String(value).padStart(2, '0');
