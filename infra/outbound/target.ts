import { parseAddress } from '#src/addresses.ts';
import type { Address } from '#src/addresses.ts';
import { OutboundRefused } from '#ports/outbound.ts';

/** What a URL wants to reach, before anything is known of it. */
export type Target = {
  url: URL;
  secure: boolean;
  /** A name in lower case without a final dot, or an address without brackets. */
  host: string;
  /** When the host is an address: all its odd spellings have become this one. */
  literal: Address | undefined;
  port: number;
};

/** Letters, digits, '-' and '_': what DNS is asked for. */
export function isHostName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/.test(text);
}

/**
 * Reads what a tenant wrote as a URL. Stricter than the WHATWG parser where that forgives: blanks, control characters,
 * backslashes, missing or superfluous slashes, an empty user. Other programs read those differently.
 * @throws OutboundRefused
 */
export function parseUrl(text: string): URL {
  const [, scheme, authority = ''] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?/i.exec(text) ?? [];
  if (scheme === undefined) throw new OutboundRefused('url');
  if (!/^https?$/i.test(scheme)) throw new OutboundRefused('scheme');
  // eslint-disable-next-line no-control-regex -- control characters are what it is about
  if (authority === '' || authority.includes('@') || /[\u0000-\u0020\u007f\\]/.test(text)) {
    throw new OutboundRefused('url');
  }
  if (!URL.canParse(text)) throw new OutboundRefused('url');
  return new URL(text);
}

/** @throws OutboundRefused */
export function targetOf(given: URL): Target {
  if (given.protocol !== 'https:' && given.protocol !== 'http:') throw new OutboundRefused('scheme');
  if (given.username !== '' || given.password !== '') throw new OutboundRefused('url');
  const url = new URL(given);
  url.hash = '';
  // Host header, certificate and exceptions know the name without the dot.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const literal = parseAddress(host);
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  if (port === 0 || (literal === undefined && !isHostName(host))) throw new OutboundRefused('url');
  return { url, secure, host, literal, port };
}
