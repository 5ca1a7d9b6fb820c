/** What of a stream decides access, at a revision, with the MAC that stands beside it. */
export type SignedState = {
  /** Names the tenant and the thing itself. */
  stream: string;
  /** Of the event that made it so. */
  revision: bigint;
  /**
   * Compared as JSON, whatever the order of its names. A member `code_text` is the same as `code_digest` with its
   * SHA-256 in base64: who reads the digest alone can check, too.
   */
  content: object;
  /** Base64url; null or undefined: there is none. */
  mac: string | null | undefined;
};

/** Signs rights where they are given, and tells whether a row or an event still says what was given. */
export interface StateSigner {
  /** The MAC over a state. @throws StoreUnavailable */
  sign(state: Omit<SignedState, 'mac'>): Promise<string>;
  /** @throws IntegrityError, after an alarm, where the MAC is missing or another one. @throws StoreUnavailable */
  check(state: SignedState): Promise<void>;
}
