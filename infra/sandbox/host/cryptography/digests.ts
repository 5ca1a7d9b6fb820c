import { createHash, createHmac, getHashes } from 'node:crypto';
import type { CryptographyRequest } from '#infra/sandbox/host/cryptography/request.ts';

export const digestOperations = {
  hash(request: CryptographyRequest): string {
    const outputLength = request.optionalInteger('outputLength', 0, 65_536);
    const options = outputLength === undefined ? {} : { outputLength };
    return createHash(request.text('algorithm'), options).update(request.bytes('data')).digest('base64');
  },
  hmac(request: CryptographyRequest): string {
    return createHmac(request.text('algorithm'), request.bytes('key'))
      .update(request.bytes('data'))
      .digest('base64');
  },
  hashes: (): string[] => getHashes(),
};
