import type { Transform } from '#access/accessRule.ts';
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
  /** The caller may only know that it is there. */
  isUnreadable?: true;
};

/** Shows a token under a transform; decrypts no more than the transform needs. */
export async function showToken(
  token: LiveToken,
  payload: StoredPayload,
  transform: Transform,
): Promise<ShownToken> {
  const fingerprint = payload.fingerprint ?? undefined;
  if (transform === 'redact' || (transform === 'mask' && token.mask === undefined)) {
    return { token, transform, fingerprint, data: undefined };
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
    fingerprint,
    data: shown,
    ...(shortLived === undefined ? {} : { shortLivedSince: shortLived.storedAt }),
  };
}

/** The masked view of data; undefined when the mask shows nothing. */
export function maskData(token: Pick<LiveToken, 'mask'>, data: Json): Json | undefined {
  return token.mask === undefined ? undefined : applyMask(token.mask as Json, data);
}
