import type { Json } from '#ports/json.ts';
import type { PayloadToStore, StoredPayload } from '#ports/vault.ts';

/**
 * What the vault is to keep of an invocation. Where code was given something short-lived, it goes with that: no copy of
 * a security code, and nothing that is made of it, outlives its hour.
 */
export function toKeep(
  payload: Pick<PayloadToStore, 'id' | 'tenantId' | 'stream' | 'expiresAt'>,
  value: Json,
  shortLivedSince: string | undefined,
): PayloadToStore {
  if (shortLivedSince === undefined) return { ...payload, data: value };
  return { ...payload, data: null, shortLived: { value, storedAt: new Date(shortLivedSince) } };
}

/** What was kept so; undefined when it is gone. */
export async function keptIn(payload: StoredPayload | undefined): Promise<Json | undefined> {
  if (payload === undefined) return undefined;
  const part = await payload.shortLived();
  return part?.value ?? (await payload.data()) ?? undefined;
}
