import {
  constants,
  privateDecrypt,
  privateEncrypt,
  publicDecrypt,
  publicEncrypt,
  sign,
  verify,
} from 'node:crypto';
import type { KeyObject, SigningOptions } from 'node:crypto';
import { readKey } from '#infra/sandbox/host/cryptography/keys.ts';
import type { CryptographyRequest } from '#infra/sandbox/host/cryptography/request.ts';

const methods = ['publicEncrypt', 'privateDecrypt', 'privateEncrypt', 'publicDecrypt'] as const;

function signingOptions(request: CryptographyRequest): SigningOptions {
  const padding = request.optionalInteger('padding', 1, 6);
  const saltLength = request.optionalInteger('saltLength', -3, 1024);
  const dsaEncoding = request.optionalOneOf('dsaEncoding', ['der', 'ieee-p1363']);
  return {
    ...(padding !== undefined && { padding }),
    ...(saltLength !== undefined && { saltLength }),
    ...(dsaEncoding !== undefined && { dsaEncoding }),
  };
}

/** For verifying and encrypting, a private key does too, as in Node. */
function keyFor(request: CryptographyRequest, kind: 'public' | 'private'): KeyObject {
  return readKey(request.nested('key'), kind);
}

export const signatureOperations = {
  sign(request: CryptographyRequest): string {
    const key = { key: keyFor(request, 'private'), ...signingOptions(request) };
    return sign(request.optionalText('algorithm'), request.bytes('data'), key).toString('base64');
  },
  verify(request: CryptographyRequest): boolean {
    const key = { key: keyFor(request, 'public'), ...signingOptions(request) };
    return verify(request.optionalText('algorithm'), request.bytes('data'), key, request.bytes('signature'));
  },
  rsa(request: CryptographyRequest): string {
    const method = request.oneOf('method', methods);
    const padding = request.optionalInteger('padding', 1, 6);
    const oaepHash = request.optionalText('oaepHash');
    const oaepLabel = request.optionalBytes('oaepLabel');
    const options = {
      key: keyFor(request, method.startsWith('public') ? 'public' : 'private'),
      ...(padding !== undefined && { padding }),
      ...(oaepHash !== undefined && { oaepHash }),
      ...(oaepLabel !== undefined && { oaepLabel }),
    };
    const data = request.bytes('data');
    switch (method) {
      case 'publicEncrypt':
        return publicEncrypt(options, data).toString('base64');
      case 'privateDecrypt':
        return privateDecrypt(options, data).toString('base64');
      case 'privateEncrypt':
        return privateEncrypt({ ...options, padding: padding ?? constants.RSA_PKCS1_PADDING }, data).toString(
          'base64',
        );
      case 'publicDecrypt':
        return publicDecrypt({ ...options, padding: padding ?? constants.RSA_PKCS1_PADDING }, data).toString(
          'base64',
        );
    }
  },
};
