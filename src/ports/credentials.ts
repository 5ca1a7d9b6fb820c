/** Of a proxy, its id stands for application and key. */
export type StoredCredential = { tenantId: string; applicationId: string; keyId: string };

/** Keys of applications, sessions and proxies, kept as keyed hashes. */
export interface Credentials {
  /** A new random key in the documented format: `key_<environment>_<type>_<random><checksum>`. */
  generate(type: 'public' | 'private' | 'management' | 'session' | 'proxy'): string;
  /** Whether a string has the form and checksum of a key; costs no database. */
  wellFormed(key: string): boolean;
  /** Whether a well-formed key is that of a session, not of an application. */
  isSession(key: string): boolean;
  /** Whether a well-formed key is that of a proxy: it says where to, not who calls. */
  isProxy(key: string): boolean;
  /** Durable when it returns; replaces the secret of a key id that has one. */
  store(credential: StoredCredential, key: string): Promise<void>;
  /** Undefined for unknown and removed keys. @throws StoreUnavailable */
  find(key: string): Promise<StoredCredential | undefined>;
  removeKey(tenantId: string, keyId: string): Promise<void>;
  removeTenant(tenantId: string): Promise<void>;
  removeApplication(tenantId: string, applicationId: string): Promise<void>;
}
