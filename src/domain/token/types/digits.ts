import { passesLuhn } from '#domain/token/cardNumber.ts';
import { routingNumberFault } from '#domain/token/types/bank.ts';
import { checked } from '#domain/token/types/tokenType.ts';
import type { TokenType } from '#domain/token/types/tokenType.ts';

type Digits = Pick<TokenType, 'name' | 'defaultContainer'> &
  Partial<Pick<TokenType, 'defaultFingerprintExpression' | 'defaultSearchIndexes' | 'secretPaths'>> & {
    /** What is wrong with the data, or undefined. */
    fault(data: unknown): string | undefined;
  };

/** A type whose data is one string of digits, shown by its last four. */
const digits = ({ fault, ...type }: Digits): TokenType => ({
  defaultMask: '{{ data | reveal_last: 4 }}',
  defaultFingerprintExpression: '{{ data }}',
  defaultSearchIndexes: [],
  secretPaths: [{ path: [], mayShowEnds: true, isOfCard: false }],
  ...type,
  check: (data) => {
    const found = fault(data);
    return checked(data, found === undefined ? {} : { '': [found] });
  },
  secrets: (data) => (typeof data === 'string' ? [data, data.replaceAll('-', '')] : []),
});

const matches = (pattern: RegExp, right: string) => (data: unknown) =>
  typeof data === 'string' && pattern.test(data) ? undefined : right;

/** Numbers that people write with and without dashes are found by either form, and by their last four. */
const dashed = {
  defaultContainer: '/pii/high/',
  defaultFingerprintExpression: "{{ data | remove: '-' }}",
  defaultSearchIndexes: ['{{ data }}', "{{ data | replace: '-' }}", '{{ data | last4 }}'],
};

const isCardNumber = matches(/^\d{13,19}$/, 'must be a string of 13 to 19 digits without separators');
const isAccountNumber = matches(/^\d{3,17}$/, 'must be a string of three to seventeen digits');

/** A card number on its own. */
export const cardNumberTokenType = digits({
  name: 'card_number',
  defaultContainer: '/pci/high/',
  secretPaths: [{ path: [], mayShowEnds: true, isOfCard: true }],
  fault: (data) =>
    isCardNumber(data) ??
    (passesLuhn(String(data)) ? undefined : 'must be a valid card number: its check digit is wrong'),
});

export const bankAccountNumberTokenType = digits({
  name: 'us_bank_account_number',
  defaultContainer: '/bank/high/',
  fault: isAccountNumber,
});

export const bankRoutingNumberTokenType = digits({
  name: 'us_bank_routing_number',
  defaultContainer: '/bank/low/',
  fault: routingNumberFault,
});

export const socialSecurityNumberTokenType = digits({
  ...dashed,
  name: 'social_security_number',
  fault: matches(
    /^\d{3}-?\d{2}-?\d{4}$/,
    "must be a string of nine digits, such as '123-45-6789' or '123456789'",
  ),
});

export const employerIdNumberTokenType = digits({
  ...dashed,
  name: 'employer_id_number',
  fault: matches(/^\d{2}-?\d{7}$/, "must be a string of nine digits, such as '12-3456789' or '123456789'"),
});
