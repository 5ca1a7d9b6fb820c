/** Short claims on fingerprints: who holds one may make a token with it. */
export interface FingerprintClaims {
  /** Whether the holder has the claim now; one whose time ran out is taken over. @throws StoreUnavailable */
  take(tenantId: string, fingerprint: string, holder: string): Promise<boolean>;
  /** Gives a claim up; one that was taken over meanwhile stays. @throws StoreUnavailable */
  release(tenantId: string, fingerprint: string, holder: string): Promise<void>;
}
