import { checked, isObject } from '#domain/token/types/tokenType.ts';
import type { CheckedData, DataFaults, TokenType } from '#domain/token/types/tokenType.ts';

/** A bank account. spec: Bank object */
export const bankTokenType: TokenType = {
  name: 'bank',
  defaultContainer: '/bank/high/',
  defaultMask: {
    routing_number: '{{ data.routing_number }}',
    account_number: '{{ data.account_number | reveal_last: 4 }}',
  },
  defaultFingerprintExpression: '{{ data.account_number }}|{{ data.routing_number }}',
  defaultSearchIndexes: [],
  check: checkBank,
  secretPaths: [{ path: ['account_number'], mayShowEnds: true, isOfCard: false }],
  secrets: (data) =>
    isObject(data) && typeof data['account_number'] === 'string' ? [data['account_number']] : [],
};

function checkBank(data: unknown): CheckedData {
  if (!isObject(data)) {
    return checked(data, { '': ["must be an object with 'routing_number' and 'account_number'"] });
  }
  const faults: DataFaults = {};
  const routing = routingNumberFault(data['routing_number']);
  if (routing !== undefined) faults['routing_number'] = [routing];
  const account = accountNumberFault(data['account_number']);
  if (account !== undefined) faults['account_number'] = [account];
  return checked(data, faults);
}

/** What is wrong with an ABA routing number, or undefined. */
export function routingNumberFault(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{9}$/.test(value)) return 'must be a string of nine digits';
  const weights = [3, 7, 1];
  const sum = [...value].reduce(
    (total, digit, index) => total + Number(digit) * (weights[index % 3] ?? 0),
    0,
  );
  return sum % 10 === 0 ? undefined : 'must be a valid ABA routing number: its check digit is wrong';
}

function accountNumberFault(value: unknown): string | undefined {
  if (typeof value === 'string' && /^\d{1,17}$/.test(value)) return undefined;
  return 'must be a string of one to seventeen digits';
}
