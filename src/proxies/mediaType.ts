import type { OutboundHeaders } from '#ports/outbound.ts';
import { headerOf } from '#src/proxies/message.ts';

/** What a body is looked at as; what is `opaque` is not looked at. */
export type BodyKind = 'json' | 'form' | 'text' | 'opaque';

/** By the media type alone. Texts in other characters than UTF-8 are not read. */
export function bodyKindOf(headers: OutboundHeaders): BodyKind {
  const [type = '', ...parameters] = (headerOf(headers, 'content-type') ?? '').toLowerCase().split(';');
  const charset = parameters.map((text) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(text)?.[1]).find(Boolean);
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/.test(charset)) return 'opaque';
  return kindOfType(type.trim());
}

function kindOfType(type: string): BodyKind {
  if (type === 'application/json' || type.endsWith('+json')) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  return type.startsWith('text/') || /^application\/(.*\+)?xml$/.test(type) ? 'text' : 'opaque';
}
