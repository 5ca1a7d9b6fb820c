import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { objectsPath } from '#ports/objectTransfers.ts';
import { isKey } from '#infra/storage/objectKey.ts';

/** What a URL allows. */
export type Permit = {
  method: 'PUT' | 'GET';
  key: string;
  /** Seconds since 1970. */
  expires: number;
  /** Of the body of a PUT. */
  mostBytes: number;
};

/** Parameters of a URL by method: one with any others was changed by somebody. */
const parameters = { PUT: 3, GET: 2 } as const;

/** The part of a URL that comes after the service's own. Everything that it allows is signed. */
export function signedPath(secret: KeyObject, permit: Permit): string {
  const { key, expires, mostBytes } = permit;
  const query = new URLSearchParams({
    expires: String(expires),
    ...(permit.method === 'PUT' ? { size: String(mostBytes) } : {}),
    signature: signatureOf(secret, permit),
  });
  return `${objectsPath}${key}?${query.toString()}`;
}

/** What the path and query of a request allow; undefined: nothing, because they were not signed by us. */
export function permitOf(secret: KeyObject, method: string | undefined, target: string): Permit | undefined {
  if (method !== 'PUT' && method !== 'GET') return undefined;
  if (!URL.canParse(target, 'http://service')) return undefined;
  const { pathname, searchParams } = new URL(target, 'http://service');
  const key = pathname.startsWith(objectsPath) ? pathname.slice(objectsPath.length) : '';
  const expires = wholeNumber(searchParams.getAll('expires'));
  const mostBytes = method === 'PUT' ? wholeNumber(searchParams.getAll('size')) : 0;
  const [signature, ...others] = searchParams.getAll('signature');
  if (!isKey(key) || expires === undefined || mostBytes === undefined) return undefined;
  if (searchParams.size !== parameters[method]) return undefined;
  if (signature === undefined || others.length > 0) return undefined;
  const permit: Permit = { method, key, expires, mostBytes };
  // As text: bytes would have several spellings in base64.
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(secret, permit))];
  return given.length === right.length && timingSafeEqual(given, right) ? permit : undefined;
}

function wholeNumber([text, ...others]: readonly string[]): number | undefined {
  return text !== undefined && others.length === 0 && /^(0|[1-9]\d{0,14})$/.test(text)
    ? Number(text)
    : undefined;
}

const signatureOf = (secret: KeyObject, { method, key, expires, mostBytes }: Permit): string =>
  createHmac('sha256', secret)
    .update(`object\n${method}\n${key}\n${expires}\n${mostBytes}`)
    .digest('base64url');
