import { hash } from 'node:crypto';

/**
 * A short text for one pair of metadata that is equal for equal pairs of a tenant, without regard to the case of
 * the value. spec: List Tokens
 */
export function metadataTerm(tenantId: string, name: string, value: string): string {
  const pair = JSON.stringify([tenantId, name, value.toLowerCase()]);
  return hash('sha256', pair, 'base64url').slice(0, 22);
}

/** The terms of all pairs. */
export const metadataTerms = (tenantId: string, metadata: Readonly<Record<string, string>>): string[] =>
  Object.entries(metadata).map(([name, value]) => metadataTerm(tenantId, name, value));
