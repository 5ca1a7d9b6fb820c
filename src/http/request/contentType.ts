import type { IncomingHttpHeaders } from 'node:http';
import type { BodyKind } from '#http/route.ts';
import { UnsupportedMediaType } from '#src/errors.ts';

/** The media type that each kind of body must have. */
export const mediaTypes: Readonly<Record<BodyKind, string>> = {
  json: 'application/json',
  'merge-patch': 'application/merge-patch+json',
};

/**
 * Parameters are tolerated, a character set other than UTF-8 is not. A JSON route called without any body is
 * told so by validation: the type of nothing does not matter.
 * @throws UnsupportedMediaType
 */
export function requireContentType(headers: IncomingHttpHeaders, kind: BodyKind): void {
  const expected = mediaTypes[kind];
  const given = headers['content-type'];
  if (given === expected) return;
  if (kind === 'json' && !hasBody(headers)) return;
  const [type, ...parameters] = (given ?? '').toLowerCase().split(';');
  if (type?.trim() === expected && parameters.every(isHarmless)) return;
  throw new UnsupportedMediaType(`The Content-Type must be ${expected}.`);
}

function isHarmless(parameter: string): boolean {
  const [name, value = ''] = parameter.split('=');
  return name?.trim() !== 'charset' || /^"?(utf-?8|us-ascii)"?$/.test(value.trim());
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
