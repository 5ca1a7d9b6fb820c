import { agreementOperations } from '#infra/sandbox/host/cryptography/agreement.ts';
import { cipherOperations } from '#infra/sandbox/host/cryptography/ciphers.ts';
import { derivationOperations } from '#infra/sandbox/host/cryptography/derivation.ts';
import { digestOperations } from '#infra/sandbox/host/cryptography/digests.ts';
import { keyOperations } from '#infra/sandbox/host/cryptography/keys.ts';
import { createOpenDigests } from '#infra/sandbox/host/cryptography/openDigests.ts';
import { randomOperations } from '#infra/sandbox/host/cryptography/random.ts';
import { CryptographyRequest, maximumBytes } from '#infra/sandbox/host/cryptography/request.ts';
import { signatureOperations } from '#infra/sandbox/host/cryptography/signatures.ts';

const operations = {
  ...agreementOperations,
  ...cipherOperations,
  ...derivationOperations,
  ...digestOperations,
  ...keyOperations,
  ...randomOperations,
  ...signatureOperations,
};

/** Two inputs of the largest size, in base64. */
const longestRequest = 3 * maximumBytes;

/**
 * Does what code in one context asks of cryptography; digests that it has open end with it. Requests are JSON, and never
 * trusted: only members that an operation names are read, as the types it expects.
 *
 * @returns what answers with JSON of `{value}` or `{error}`, and never throws
 */
export function createCryptography(): (json: string) => string {
  const all = new Map<string, (request: CryptographyRequest) => unknown>(
    Object.entries({ ...operations, ...createOpenDigests() }),
  );
  return (json) => {
    try {
      if (json.length > longestRequest) throw new RangeError('The data is larger than is accepted');
      const request = new CryptographyRequest(JSON.parse(json));
      const operation = all.get(request.text('operation'));
      if (operation === undefined) throw new Error('There is no such operation');
      return JSON.stringify({ value: operation(request) });
    } catch (error) {
      return JSON.stringify({ error: describe(error) });
    }
  };
}

function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'Cryptography failed' };
  const { message, name } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { message, name, code };
}
