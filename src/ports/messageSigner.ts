/** Signs what the service sends, under a key pair of its own. */
export interface MessageSigner {
  /** RSA-PSS with SHA-256, in base64. @throws StoreUnavailable */
  sign(body: string): Promise<string>;
  /** What verifies it, in PEM. @throws StoreUnavailable */
  publicKey(): Promise<string>;
}
