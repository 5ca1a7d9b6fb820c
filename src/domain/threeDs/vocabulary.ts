/** The words of 3-D Secure sessions as clients see them. */

export const authenticationStatuses = [
  'successful',
  'attempted',
  'failed',
  'unavailable',
  'challenge',
  'decoupled_challenge',
  'rejected',
  'informational',
] as const;
export type AuthenticationStatus = (typeof authenticationStatuses)[number];

export const devices = ['browser', 'mobile'] as const;
export type Device = (typeof devices)[number];

/** Whether the issuer's hidden page came to its end: yes, no, or there was none to show (unavailable). */
export const methodIndicators = ['Y', 'N', 'U'] as const;
export type MethodIndicator = (typeof methodIndicators)[number];

/** As in EMV 3-D Secure, authentication type. */
export const challengeTypes = ['static', 'dynamic', 'out-of-band', 'decoupled'] as const;
export type ChallengeType = (typeof challengeTypes)[number];

/** A status that only the buyer's answer to a challenge can change. */
export const isOpenStatus = (status: AuthenticationStatus): boolean =>
  status === 'challenge' || status === 'decoupled_challenge';
