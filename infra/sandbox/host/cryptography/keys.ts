import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { JsonWebKey, KeyExportOptions, KeyObject } from 'node:crypto';
import type { CryptographyRequest } from '#infra/sandbox/host/cryptography/request.ts';
import { CryptographyError } from '#infra/sandbox/host/cryptography/request.ts';

const longestPem = 65_536;
const containers = ['pkcs1', 'spki', 'pkcs8', 'sec1'] as const;
const formats = ['pem', 'der', 'jwk'] as const;
const webKeyMembers = ['kty', 'crv', 'x', 'y', 'd', 'n', 'e', 'p', 'q', 'dp', 'dq', 'qi'];

export function readKey(request: CryptographyRequest, kind: 'public' | 'private'): KeyObject {
  const format = request.oneOf('format', formats);
  if (format === 'jwk') {
    const key = readWebKey(request.nested('data'));
    return kind === 'public' ? createPublicKey({ key, format }) : createPrivateKey({ key, format });
  }
  const key = format === 'pem' ? request.text('data', longestPem) : request.bytes('data');
  const type = request.optionalOneOf('type', containers);
  const passphrase = request.optionalBytes('passphrase');
  const options = { key, format, ...(type && { type }), ...(passphrase && { passphrase }) };
  if (kind === 'private') return createPrivateKey(options as Parameters<typeof createPrivateKey>[0]);
  return createPublicKey(options as Parameters<typeof createPublicKey>[0]);
}

function readWebKey(request: CryptographyRequest): JsonWebKey {
  const members = webKeyMembers.filter((name) => request.has(name));
  return Object.fromEntries(members.map((name) => [name, request.text(name, 4096)]));
}

/** A key as it is kept inside: in one form, whatever it came in. */
function describe(key: KeyObject): object {
  const isPublic = key.type === 'public';
  const type = isPublic ? 'spki' : 'pkcs8';
  const { modulusLength, namedCurve, publicExponent } = key.asymmetricKeyDetails ?? {};
  return {
    material: { format: 'pem', data: exportPem(key) },
    type: key.type,
    container: type,
    asymmetricKeyType: key.asymmetricKeyType,
    asymmetricKeyDetails: { modulusLength, namedCurve, publicExponent: publicExponent?.toString() },
  };
}

function exportPem(key: KeyObject): string {
  const text =
    key.type === 'public'
      ? key.export({ type: 'spki', format: 'pem' })
      : key.export({ type: 'pkcs8', format: 'pem' });
  return text.toString();
}

const kindOf = (request: CryptographyRequest): 'public' | 'private' =>
  request.oneOf('keyType', ['public', 'private']);

export const keyOperations = {
  readKey: (request: CryptographyRequest): object =>
    describe(readKey(request.nested('key'), kindOf(request))),

  exportKey(request: CryptographyRequest): unknown {
    const kind = kindOf(request);
    const key = readKey(request.nested('key'), kind);
    const format = request.oneOf('format', formats);
    if (format === 'jwk') return key.export({ format });
    const type = request.optionalOneOf('type', containers) ?? (kind === 'public' ? 'spki' : 'pkcs8');
    const passphrase = request.optionalBytes('passphrase');
    const cipher = request.optionalText('cipher');
    const options = { type, format, ...(passphrase && { passphrase }), ...(cipher && { cipher }) };
    const exported = key.export(options as KeyExportOptions<'der'>) as string | Buffer;
    return typeof exported === 'string' ? exported : exported.toString('base64');
  },

  generateKeyPair(request: CryptographyRequest): object {
    const { publicKey, privateKey } = generate(request);
    return { publicKey: exportPem(publicKey), privateKey: exportPem(privateKey) };
  },
};

function generate(request: CryptographyRequest): { publicKey: KeyObject; privateKey: KeyObject } {
  const type = request.text('type');
  switch (type) {
    case 'rsa':
      return generateKeyPairSync('rsa', {
        modulusLength: request.integer('modulusLength', 512, 4096),
        publicExponent: request.optionalInteger('publicExponent', 3, 65_537) ?? 65_537,
      });
    case 'ec':
      return generateKeyPairSync('ec', { namedCurve: request.text('namedCurve') });
    case 'ed25519':
      return generateKeyPairSync('ed25519');
    case 'x25519':
      return generateKeyPairSync('x25519');
    default:
      throw new CryptographyError(
        `Keys of type ${type} cannot be made`,
        'ERR_INVALID_ARG_VALUE',
        'TypeError',
      );
  }
}
