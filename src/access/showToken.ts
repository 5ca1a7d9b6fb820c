import type { Transform } from '#access/accessRule.ts';
import { mayKnowFingerprint } from '#access/fingerprints.ts';
import { exposes } from '#access/maskReach.ts';
import { joinShortLived } from '#access/shortLived.ts';
import type { LiveToken } from '#domain/token/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';
import { applyMask, maskMayUse } from '#expressions/index.ts';
import type { Json, JsonObject } from '#ports/json.ts';
import type { StoredPayload } from '#ports/vault.ts';

/** A token as one caller is shown it. */
export type ShownToken = {
  token: LiveToken;
  transform: Transform;
  /** What the data amounts to: a mask may show as much as `reveal`. */
  rendered: Transform;
  fingerprint: string | undefined;
  /** Undefined: there is nothing to show. */
  data: Json | undefined;
  /** What is known beyond the data; only where a detokenization asks for it. */
  enrichments?: JsonObject | undefined;
  /** Shows what is not to be kept anywhere: a short-lived property, or plaintext. */
  isTransient?: boolean;
  /** When the short-lived property that it shows was stored. */
  shortLivedSince?: Date;
  /** It was there before the request, which changed nothing of it. */
  isExisting?: true;
  /** Shows what earlier requests gave, too. */
  isStored?: true;
  /** The caller may only know that it is there. */
  isUnreadable?: true;
};

/** Shows a token under a transform; decrypts no more than the transform needs. */
export async function showToken(
  token: LiveToken,
  payload: StoredPayload,
  transform: Transform,
): Promise<ShownToken> {
  const fingerprint = mayKnowFingerprint(token, transform) ? (payload.fingerprint ?? undefined) : undefined;
  if (transform === 'redact' || (transform === 'mask' && token.mask === undefined)) {
    return { token, transform, rendered: transform, fingerprint, data: undefined };
  }
  const type = tokenTypeOf(token);
  const property = type.shortLivedProperty;
  const needsShortLived =
    property !== undefined && (transform === 'reveal' || maskMayUse(token.mask as Json, property));
  const shortLived = needsShortLived ? await payload.shortLived() : undefined;
  const data = joinShortLived(type, await payload.data(), shortLived?.value);
  const shown = transform === 'reveal' ? data : maskData(token, data);
  return {
    token,
    transform,
    rendered: renderedAs(token, transform, data, shown),
    fingerprint,
    data: shown,
    ...(shortLived === undefined ? {} : { shortLivedSince: shortLived.storedAt }),
  };
}

/**
 * What an answer amounts to, for the audit log: a mask that shows a secret of the type, beyond its ends, reveals.
 * @param data all of it
 */
export function renderedAs(
  token: Pick<LiveToken, 'type' | 'mask'>,
  transform: Transform,
  data: Json,
  shown: Json | undefined,
): Transform {
  if (transform !== 'mask' || shown === undefined) return transform;
  return exposes(token.mask, tokenTypeOf(token).secretPaths, data) ? 'reveal' : 'mask';
}

/** The masked view of data; undefined when the mask shows nothing. */
export function maskData(token: Pick<LiveToken, 'mask'>, data: Json): Json | undefined {
  return token.mask === undefined ? undefined : applyMask(token.mask as Json, data);
}
