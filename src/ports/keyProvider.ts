/** Binds a wrapped key to its use: what was wrapped for one place does not unwrap in another. */
export type KeyContext = Readonly<Record<string, string>>;

export type WrappedKey = {
  /** Names the root key it is wrapped under. */
  rootKey: string;
  wrapped: Uint8Array;
};

/** Wraps keys under a root key that never leaves the provider: a key file, or a key management service. */
export interface KeyProvider {
  /** The name of the root key that wraps new keys. */
  rootKey(): Promise<string>;
  wrap(key: Uint8Array, context: KeyContext): Promise<WrappedKey>;
  /** @throws RootKeyUnknown @throws IntegrityError when it was wrapped for another context, or changed */
  unwrap(wrapped: WrappedKey, context: KeyContext): Promise<Uint8Array>;
}

/** A key is wrapped under a root key that this provider does not hold. */
export class RootKeyUnknown extends Error {
  override readonly name = 'RootKeyUnknown';
}

/** The root key is missing, unreadable, malformed, or not the one that this database was made with. */
export class RootKeyRefused extends Error {
  override readonly name = 'RootKeyRefused';
}
