/** A short-lived part of a token's data whose hour is over. */
export type LapsedPart = { tenantId: string; tokenId: string; payloadId: string };

/** What is left of short-lived parts, over all tenants. */
export interface ShortLivedParts {
  /** Parts that can no longer be read and are still there. */
  lapsed(now: Date, limit: number): Promise<LapsedPart[]>;
  /** Takes them away. */
  forget(parts: readonly LapsedPart[]): Promise<void>;
}
