import type { Json } from '#ports/json.ts';

/** Names a payload as its record does. */
export type PayloadReference = {
  id: string;
  /** Of the record that it belongs to, by what the reader knows of the record: it opens under no other. */
  stream: string;
};

export type PayloadToStore = {
  /** A uuid derived from command, expected revision and part. */
  id: string;
  tenantId: string;
  /** The stream whose event will refer to it: lets the sweep tell an orphan. The ciphertext is bound to it. */
  stream: string;
  data: Json;
  /** A part that must be gone an hour after it was stored (a card verification code). */
  shortLived?: { value: Json; storedAt: Date } | undefined;
  fingerprint?: string | undefined;
  blindIndexes?: readonly Uint8Array[] | undefined;
  /** When the payload may be forgotten by itself (stored answers). */
  expiresAt?: Date | undefined;
};

/** A payload as it lies in the vault; nothing is decrypted before it is asked for. */
export interface StoredPayload {
  readonly id: string;
  readonly fingerprint: string | null;
  /** Decrypts the data. @throws IntegrityError */
  data(): Promise<Json>;
  /** Decrypts the short-lived part: undefined when there is none, or when its hour has passed. */
  shortLived(): Promise<{ value: Json; storedAt: Date } | undefined>;
}

/** What the vault has of a tenant. */
export type TenantHoldings = { keys: { purpose: string; version: number }[]; payloads: number };

/** Ciphertext, fingerprints and blind indexes. */
export interface Vault {
  /** Makes a tenant's keys; again is harmless. */
  createTenantKeys(tenantId: string): Promise<void>;
  /** What it has of a tenant. */
  holdings(tenantId: string): Promise<TenantHoldings>;
  /** Destroys a tenant's keys: nothing of it can be decrypted again. */
  destroyTenantKeys(tenantId: string): Promise<void>;
  /** Durable when it returns; the same id again is harmless. */
  store(payload: PayloadToStore): Promise<void>;
  storeAll(payloads: readonly PayloadToStore[]): Promise<void>;
  /** In the order of the references; undefined where there is none of the id. */
  read(tenantId: string, references: readonly PayloadReference[]): Promise<(StoredPayload | undefined)[]>;
  remove(tenantId: string, ids: readonly string[]): Promise<void>;
  /** Payloads with a fingerprint, oldest first, with the streams that refer to them or will. */
  findByFingerprint(tenantId: string, fingerprint: string): Promise<{ id: string; stream: string }[]>;
  /**
   * Keyed HMAC over type and rendered expression: equal within a tenant and type, else unrelated.
   * @param expression where it is not the type's own: its text counts too
   */
  fingerprint(tenantId: string, type: string, rendered: string, expression?: string): Promise<string>;
  /** Keyed HMAC of a search value, under another key than fingerprints. */
  blindIndex(tenantId: string, rendered: string): Promise<Uint8Array>;
}

/** A ciphertext that does not belong where it lies, or was changed. */
export class IntegrityError extends Error {
  override readonly name = 'IntegrityError';
}

/** The tenant's keys were destroyed, or never made. */
export class TenantKeysMissing extends Error {
  override readonly name = 'TenantKeysMissing';
}
