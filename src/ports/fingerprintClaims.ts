/** Short claims on fingerprints: who holds one may make a token with it. Their times are the database's. */
export interface FingerprintClaims {
  /** Whether the holder has the claim now; one whose time ran out is taken over. @throws StoreUnavailable */
  take(tenantId: string, fingerprint: string, holder: string): Promise<boolean>;
  /**
   * Right before the append: whether the holder still has all of these claims, which then last for the time of an append.
   * @throws StoreUnavailable
   */
  confirm(tenantId: string, fingerprints: readonly string[], holder: string): Promise<boolean>;
  /** Gives a claim up; one that was taken over meanwhile stays. @throws StoreUnavailable */
  release(tenantId: string, fingerprint: string, holder: string): Promise<void>;
}
