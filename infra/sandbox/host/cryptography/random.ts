import { randomBytes, randomInt } from 'node:crypto';
import { maximumBytes } from '#infra/sandbox/host/cryptography/request.ts';
import type { CryptographyRequest } from '#infra/sandbox/host/cryptography/request.ts';

const largest = Number.MAX_SAFE_INTEGER;

export const randomOperations = {
  random: (request: CryptographyRequest): string =>
    randomBytes(request.integer('size', 0, maximumBytes)).toString('base64'),
  randomInt: (request: CryptographyRequest): number =>
    randomInt(request.integer('min', -largest, largest), request.integer('max', -largest, largest)),
};
