import { createECDH, diffieHellman, getCurves } from 'node:crypto';
import { readKey } from '#infra/sandbox/host/cryptography/keys.ts';
import type { CryptographyRequest } from '#infra/sandbox/host/cryptography/request.ts';

const pointFormats = ['compressed', 'uncompressed', 'hybrid'] as const;

export const agreementOperations = {
  ecdh(request: CryptographyRequest): object {
    const ecdh = createECDH(request.text('curve'));
    const privateKey = request.optionalBytes('privateKey');
    if (privateKey === undefined) ecdh.generateKeys();
    else ecdh.setPrivateKey(privateKey);
    const other = request.optionalBytes('other');
    if (other !== undefined) return { secret: ecdh.computeSecret(other).toString('base64') };
    const format = request.optionalOneOf('format', pointFormats) ?? 'uncompressed';
    return { privateKey: ecdh.getPrivateKey('base64'), publicKey: ecdh.getPublicKey('base64', format) };
  },
  diffieHellman(request: CryptographyRequest): string {
    const privateKey = readKey(request.nested('privateKey'), 'private');
    const publicKey = readKey(request.nested('publicKey'), 'public');
    return diffieHellman({ privateKey, publicKey }).toString('base64');
  },
  curves: (): string[] => getCurves(),
};
