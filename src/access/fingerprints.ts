import type { Transform } from '#access/accessRule.ts';
import { transformFor } from '#access/evaluate.ts';
import type { Rights } from '#access/evaluate.ts';
import type { LiveToken } from '#domain/token/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';

type Fingerprinted = Pick<LiveToken, 'type' | 'fingerprintExpression'>;

/**
 * Whether a fingerprint may be told to who sees the token under a transform. That of a part of the data is as good as
 * the part: own tokens with the same expression make a dictionary of it.
 */
export function mayKnowFingerprint(token: Fingerprinted, transform: Transform): boolean {
  if (transform !== 'mask') return transform === 'reveal';
  return token.fingerprintExpression === tokenTypeOf(token).defaultFingerprintExpression;
}

/**
 * Whether answers to a create may tell the fingerprint of what the caller gave. Who holds a public key, or a session,
 * may be anybody, and could try numbers by them.
 */
export const isToldFingerprints = ({ type, publicFingerprints }: Rights): boolean =>
  (type !== 'public' && type !== 'session') || publicFingerprints === true;

/** Whether a caller may be answered a token that was there already, in the place of one that it wanted to make. */
export function mayMeet(rights: Rights, twin: LiveToken): boolean {
  if (rights.publicFingerprints === true) return true;
  const transform = transformFor(rights, 'token:read', twin);
  return transform !== undefined && mayKnowFingerprint(twin, transform);
}
