import type { Authentication } from '#domain/threeDs/events.ts';
import type { AuthenticationStatus, ChallengeType } from '#domain/threeDs/vocabulary.ts';

/** How the sandbox authenticates a card. */
export type TestCard = {
  /** Whether the issuer has a hidden page that the browser shows first. */
  hasMethod: boolean;
  /** Without a challenge. Absent: there is one. */
  frictionless?: AuthenticationStatus;
  challenge?: { type: ChallengeType; mandated: boolean; result: AuthenticationStatus };
  error?: NonNullable<Authentication['error_data']>;
};

const frictionless = (status: AuthenticationStatus, error?: TestCard['error']): TestCard => ({
  hasMethod: true,
  frictionless: status,
  ...(error === undefined ? {} : { error }),
});

const challenge = (
  result: AuthenticationStatus,
  type: ChallengeType = 'dynamic',
  { hasMethod = true, mandated = false } = {},
): TestCard => ({ hasMethod, challenge: { type, mandated, result } });

/** Codes and components as in EMV 3-D Secure: protocol and core functions, error messages. */
const error = (component: 'D' | 'S', name: string, code: string, description: string) => ({
  code,
  description,
  component: { code: component, name },
  detail: { message: `The ${name} of the sandbox always answers so for this card.` },
});

/** Source: reference of 3-D Secure, test cards. No other card of these digits exists: none passes Luhn. */
export const testCards: Readonly<Record<string, TestCard>> = {
  '4200000000000002': frictionless('successful'),
  '4200000000000003': frictionless('attempted'),
  '4200000000000005': frictionless('failed'),
  '4200000000000006': frictionless('unavailable'),
  '4200000000000007': frictionless('rejected'),
  '4200000000000004': challenge('successful'),
  '4200000000000014': challenge('successful', 'dynamic', { hasMethod: false }),
  '4200000000000015': challenge('successful', 'dynamic', { mandated: true }),
  '4200000000000016': challenge('successful', 'out-of-band'),
  '4200000000000008': challenge('attempted'),
  '4200000000000009': challenge('failed'),
  '4200000000000017': challenge('failed', 'out-of-band'),
  '4200000000000010': challenge('unavailable'),
  '4200000000000011': challenge('rejected'),
  '4200000000000012': frictionless(
    'unavailable',
    error('D', 'directory server', '405', 'System connection failure'),
  ),
  '4200000000000013': frictionless(
    'unavailable',
    error('S', '3DS server', '403', 'Transient system failure'),
  ),
};

/** Cards that are not in the list are authenticated without a challenge. */
export const testCardOf = (number: string): TestCard => testCards[number] ?? frictionless('successful');

/** The electronic commerce indicator that a status earns: other brands than Mastercard number alike. */
export function eciOf(status: AuthenticationStatus, cardBrand: string | undefined): string | undefined {
  const isMastercard = cardBrand === 'mastercard';
  if (status === 'successful') return isMastercard ? '02' : '05';
  if (status === 'attempted') return isMastercard ? '01' : '06';
  return status === 'failed' || status === 'rejected' || status === 'unavailable'
    ? isMastercard
      ? '00'
      : '07'
    : undefined;
}
