import { createHash, hkdfSync, pbkdf2Sync, scryptSync } from 'node:crypto';
import type { CryptographyRequest } from '#infra/sandbox/host/cryptography/request.ts';

/** Derivation is made to be slow, and the process waits for it: this is about a second. */
const maximumIterations = 2_000_000;
const maximumMemory = 64 * 1024 * 1024;
const maximumParallelization = 8;
const maximumLength = 65_536;

export const derivationOperations = {
  pbkdf2(request: CryptographyRequest): string {
    const length = request.integer('length', 0, 1024);
    const digest = request.text('digest');
    // Every block of the digest's length costs all iterations again.
    const blocks = Math.max(1, Math.ceil(length / createHash(digest).digest().length));
    const iterations = request.integer('iterations', 1, Math.floor(maximumIterations / blocks));
    const [password, salt] = [request.bytes('password'), request.bytes('salt')];
    return pbkdf2Sync(password, salt, iterations, length, digest).toString('base64');
  },
  scrypt(request: CryptographyRequest): string {
    const options = {
      N: request.integer('cost', 2, 1_048_576),
      r: request.integer('blockSize', 1, 1024),
      p: request.integer('parallelization', 1, maximumParallelization),
      // OpenSSL counts what it needs besides the table too.
      maxmem: maximumMemory + 1024 * 1024,
    };
    const length = request.integer('length', 0, maximumLength);
    return scryptSync(request.bytes('password'), request.bytes('salt'), length, options).toString('base64');
  },
  hkdf(request: CryptographyRequest): string {
    const length = request.integer('length', 0, maximumLength);
    const [key, salt, info] = [request.bytes('key'), request.bytes('salt'), request.bytes('info')];
    return Buffer.from(hkdfSync(request.text('digest'), key, salt, info, length)).toString('base64');
  },
};
