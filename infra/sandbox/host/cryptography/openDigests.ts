import { createHash, createHmac } from 'node:crypto';
import type { Hash, Hmac } from 'node:crypto';
import { CryptographyError } from '#infra/sandbox/host/cryptography/request.ts';
import type { CryptographyRequest } from '#infra/sandbox/host/cryptography/request.ts';

type Operation = (request: CryptographyRequest) => unknown;

/** Of code that opens them and never ends them, the oldest are forgotten. */
const mostOpen = 100;

/** Digests of more than one request may carry, which code gives piece by piece. */
export function createOpenDigests(): Record<string, Operation> {
  const open = new Map<number, Hash | Hmac>();
  let latest = 0;

  const keep = (digest: Hash | Hmac): number => {
    latest += 1;
    open.set(latest, digest);
    for (const oldest of open.keys()) {
      if (open.size <= mostOpen) break;
      open.delete(oldest);
    }
    return latest;
  };
  const named = (request: CryptographyRequest): { number: number; digest: Hash | Hmac } => {
    const number = request.integer('digest', 1, Number.MAX_SAFE_INTEGER);
    const digest = open.get(number);
    if (digest !== undefined) return { number, digest };
    const message = `At most ${mostOpen} digests of large data may be open at the same time.`;
    throw new CryptographyError(message, 'ERR_OUT_OF_RANGE', 'RangeError');
  };

  return {
    beginHash: (request) => keep(hashOf(request)),
    beginHmac: (request) => keep(createHmac(request.text('algorithm'), request.bytes('key'))),
    updateDigest: (request) => {
      named(request).digest.update(request.bytes('data'));
    },
    copyDigest: (request) => {
      const { digest } = named(request);
      if ('copy' in digest) return keep(digest.copy());
      throw new CryptographyError('An HMAC cannot be copied.', 'ERR_INVALID_ARG_TYPE', 'TypeError');
    },
    endDigest: (request) => {
      const { number, digest } = named(request);
      open.delete(number);
      return digest.digest('base64');
    },
  };
}

/** @throws RangeError for an algorithm that does not exist */
export function hashOf(request: CryptographyRequest): Hash {
  const outputLength = request.optionalInteger('outputLength', 0, 65_536);
  return createHash(request.text('algorithm'), outputLength === undefined ? {} : { outputLength });
}
