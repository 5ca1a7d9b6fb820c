import type { KeyObject } from 'node:crypto';
import { rightsMac } from '#infra/vault/signing/stateSigner.ts';

/** A row of `vault.credentials`: whose key has which digest. */
export type CredentialRow = { tenant_id: string; application_id: string; key_id: string; digest: Buffer };

/** The MAC that a credential carries: its digest is the key's of this tenant, application and key id only. */
export const credentialMac = (
  key: KeyObject,
  { tenant_id, application_id, key_id, digest }: CredentialRow,
): string => rightsMac(key, ['credential', tenant_id, application_id, key_id, digest.toString('base64')]);
