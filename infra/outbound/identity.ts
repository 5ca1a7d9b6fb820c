import { createHash, createPrivateKey } from 'node:crypto';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { OutboundRefused } from '#ports/outbound.ts';
import type { OutboundTls } from '#ports/outbound.ts';

/** Who shows itself in a connection, and whom it trusts. */
export type Identity = {
  /** The same for the same certificate, key and authorities; tells nothing of them. */
  id: string;
  /** @throws OutboundRefused */
  context(): SecureContext;
};

/** Of certificate, key and authorities, each, in characters. */
const longest = 65_536;
/** Signing with longer ones would hold up everybody else. */
const longestModulus = 8_192;
const keyTypes = new Set(['rsa', 'rsa-pss', 'ec', 'ed25519', 'ed448']);

/** @param authorities in PEM, beside those that Node trusts */
export function identityOf(tls: OutboundTls, authorities: readonly string[]): Identity {
  return {
    id: createHash('sha256').update(JSON.stringify(tls)).digest('base64'),
    context: () => {
      const { cert, key, ca } = tls;
      if ([cert, key, ca].some((text) => text !== undefined && text.length > longest)) {
        throw new OutboundRefused('certificate');
      }
      try {
        if (key !== undefined && !isUsable(key)) throw new OutboundRefused('certificate');
        return createSecureContext({ cert, key, ca: ca ?? trusted(authorities) });
      } catch {
        // Without the cause: what OpenSSL says of a key is nobody's business.
        throw new OutboundRefused('certificate');
      }
    },
  };
}

/** Undefined: those that Node trusts. */
export const trusted = (authorities: readonly string[]): string[] | undefined =>
  authorities.length === 0 ? undefined : [...getCACertificates('default'), ...authorities];

/** What it takes to decrypt a key is decided by who made it, and would be spent in this process. */
function isUsable(pem: string): boolean {
  if (pem.includes('ENCRYPTED')) return false;
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPrivateKey(pem);
  return keyTypes.has(type ?? '') && (details?.modulusLength ?? 0) <= longestModulus;
}
