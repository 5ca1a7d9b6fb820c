import { createHmac, getHashes } from 'node:crypto';
import { hashOf } from '#infra/sandbox/host/cryptography/openDigests.ts';
import type { CryptographyRequest } from '#infra/sandbox/host/cryptography/request.ts';

export const digestOperations = {
  hash: (request: CryptographyRequest): string =>
    hashOf(request).update(request.bytes('data')).digest('base64'),
  hmac(request: CryptographyRequest): string {
    return createHmac(request.text('algorithm'), request.bytes('key'))
      .update(request.bytes('data'))
      .digest('base64');
  },
  hashes: (): string[] => getHashes(),
};
