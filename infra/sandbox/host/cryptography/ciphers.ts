import { createCipheriv, createDecipheriv, getCipherInfo, getCiphers } from 'node:crypto';
import type { CipherGCM, CipherGCMTypes, DecipherGCM } from 'node:crypto';
import { CryptographyError } from '#infra/sandbox/host/cryptography/request.ts';
import type { CryptographyRequest } from '#infra/sandbox/host/cryptography/request.ts';

/** Modes that take associated data and make a tag; the other two of them need the whole text's length first. */
const authenticated = ['gcm', 'ocb'];

export const cipherOperations = {
  /** Everything from the beginning: nothing is kept between two requests. */
  cipher(request: CryptographyRequest): { data: string; tag?: string } {
    const cipher = makeCipher(request);
    const aad = request.optionalBytes('aad');
    const tag = request.optionalBytes('authTag');
    if (aad !== undefined) cipher.setAAD(aad);
    if (tag !== undefined && 'setAuthTag' in cipher) cipher.setAuthTag(tag);
    if (request.has('autoPadding')) cipher.setAutoPadding(request.boolean('autoPadding'));
    const parts = [cipher.update(request.bytes('data'))];
    if (request.boolean('final')) parts.push(cipher.final());
    const data = Buffer.concat(parts).toString('base64');
    const hasTag = 'getAuthTag' in cipher && request.boolean('final') && isAuthenticated(request);
    return hasTag ? { data, tag: cipher.getAuthTag().toString('base64') } : { data };
  },
  ciphers: (): string[] => getCiphers(),
};

function makeCipher(request: CryptographyRequest): CipherGCM | DecipherGCM {
  const algorithm = request.text('algorithm');
  const mode = getCipherInfo(algorithm)?.mode;
  if (mode === 'ccm' || mode === 'wrap') {
    throw new CryptographyError(`The mode ${mode} is not available`, 'ERR_FEATURE_UNAVAILABLE');
  }
  const authTagLength = request.optionalInteger('authTagLength', 4, 16);
  const options = authTagLength === undefined ? {} : { authTagLength };
  const [key, iv] = [request.bytes('key'), request.optionalBytes('iv') ?? null];
  // The types know tags of some algorithms only; those of others refuse them when they run.
  const name = algorithm as CipherGCMTypes;
  return request.boolean('decrypt')
    ? createDecipheriv(name, key, iv as Buffer, options)
    : createCipheriv(name, key, iv as Buffer, options);
}

function isAuthenticated(request: CryptographyRequest): boolean {
  const algorithm = request.text('algorithm');
  return authenticated.includes(getCipherInfo(algorithm)?.mode ?? '') || /poly1305/i.test(algorithm);
}
