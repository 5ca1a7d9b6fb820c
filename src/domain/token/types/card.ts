import { passesLuhn } from '#domain/token/cardNumber.ts';
import { checked, isObject } from '#domain/token/types/tokenType.ts';
import type { CheckedData, DataFaults, TokenType } from '#domain/token/types/tokenType.ts';

/** Test numbers of 3-D Secure: all of them fail Luhn, and clients' test suites store them. */
const threeDSecureTestNumbers = new Set(
  Array.from({ length: 16 }, (_, index) => `42000000000000${String(index + 2).padStart(2, '0')}`),
);

const shortDigits = /^\d{1,4}$/;

/** A payment card. spec: Card object */
export const cardTokenType: TokenType = {
  name: 'card',
  defaultContainer: '/pci/high/',
  defaultMask: {
    number: '{{ data.number | reveal_last: 4 }}',
    expiration_month: '{{ data.expiration_month }}',
    expiration_year: '{{ data.expiration_year }}',
  },
  defaultFingerprintExpression: '{{ data.number }}',
  defaultSearchIndexes: [],
  check: checkCard,
  secrets: (data) => (isObject(data) && typeof data['number'] === 'string' ? [data['number']] : []),
  secretPaths: [
    { path: ['number'], mayShowEnds: true, isOfCard: true },
    { path: ['cvc'], mayShowEnds: false, isOfCard: true },
  ],
  shortLivedProperty: 'cvc',
};

function checkCard(data: unknown): CheckedData {
  if (!isObject(data)) return checked(data, { '': ["must be an object with a card's 'number'"] });
  const { number, expiration_month, expiration_year, cvc, ...others } = data;
  const month = wholeNumber(expiration_month);
  const year = wholeNumber(expiration_year);
  const code = typeof cvc === 'number' ? String(cvc) : cvc;
  const faults: DataFaults = {};
  const fault = cardNumberFault(number);
  if (fault !== undefined) faults['number'] = [fault];
  if (!isAbsentOrBetween(month, 1, 12)) faults['expiration_month'] = ['must be an integer from 1 to 12'];
  if (!isAbsentOrBetween(year, 1000, 9999)) faults['expiration_year'] = ['must be an integer of four digits'];
  if (!isAbsent(code) && !isVerificationCode(code)) {
    faults['cvc'] = ['must be a string of three or four digits'];
  }
  const card = {
    number,
    ...(isAbsent(month) ? {} : { expiration_month: month }),
    ...(isAbsent(year) ? {} : { expiration_year: year }),
    ...(isAbsent(code) ? {} : { cvc: code }),
    ...others,
  };
  return checked(card, faults);
}

function cardNumberFault(number: unknown): string | undefined {
  if (typeof number !== 'string' || !/^\d{13,19}$/.test(number)) {
    return 'must be a string of 13 to 19 digits without separators';
  }
  if (passesLuhn(number) || threeDSecureTestNumbers.has(number)) return undefined;
  return 'must be a valid card number: its check digit is wrong';
}

/** Clients send months and years as strings of digits now and then. */
function wholeNumber(value: unknown): unknown {
  return typeof value === 'string' && shortDigits.test(value) ? Number(value) : value;
}

const isVerificationCode = (value: unknown): boolean => typeof value === 'string' && /^\d{3,4}$/.test(value);

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function isAbsentOrBetween(value: unknown, least: number, most: number): boolean {
  if (isAbsent(value)) return true;
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
