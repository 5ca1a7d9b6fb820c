import type { IncomingHttpHeaders } from 'node:http';
import type { BodyKind } from '#http/route.ts';
import { UnsupportedMediaType } from '#src/errors.ts';

/** The media types that each kind of body may have. */
export const mediaTypes: Readonly<Record<BodyKind, readonly string[]>> = {
  json: ['application/json'],
  'merge-patch': ['application/merge-patch+json'],
  'json-or-json-patch': ['application/json', 'application/json-patch+json'],
};

/**
 * Parameters are tolerated, a character set other than UTF-8 is not. A JSON route called without any body is
 * told so by validation: the type of nothing does not matter.
 * @throws UnsupportedMediaType
 */
export function requireContentType(headers: IncomingHttpHeaders, kind: BodyKind): void {
  const expected = mediaTypes[kind];
  const given = headers['content-type'] ?? '';
  if (expected.includes(given)) return;
  if (kind !== 'merge-patch' && !hasBody(headers)) return;
  const [type = '', ...parameters] = given.toLowerCase().split(';');
  if (expected.includes(type.trim()) && parameters.every(isHarmless)) return;
  throw new UnsupportedMediaType(`The Content-Type must be ${expected.join(' or ')}.`);
}

function isHarmless(parameter: string): boolean {
  const [name, value = ''] = parameter.split('=');
  return name?.trim() !== 'charset' || /^"?(utf-?8|us-ascii)"?$/.test(value.trim());
}

export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
