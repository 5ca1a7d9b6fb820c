/** Remembers when keys were used last, as coarsely as it is written down. */
export interface KeyUses {
  touch(tenantId: string, keyId: string): void;
}
