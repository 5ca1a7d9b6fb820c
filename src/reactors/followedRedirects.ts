import { hash } from 'node:crypto';
import type { OutboundHeaders } from '#ports/outbound.ts';
import { isSecretHeader } from '#src/secretHeaders.ts';

type Call = { url: string; headers: OutboundHeaders };
type Answer = { status: number; headers: OutboundHeaders };

/**
 * The redirects that one run of code was answered. Libraries in code follow them by themselves, and take along what
 * they please, so it is decided here what another origin gets.
 */
export type FollowedRedirects = {
  /** The headers of a call, without the secrets that came to its origin by a redirect alone. */
  headersFor(call: Call): OutboundHeaders;
  /** @param call as the code made it */
  note(call: Call, answer: Answer): void;
};

/** Where a secret header was sent by the code itself, and where only redirects led with it. */
type Trace = { given: Set<string>; led: Set<string> };

/** Secrets that are remembered; code that is redirected more often loses the oldest. */
const most = 1_000;
/** A redirect that programs read differently: it led to every origin. */
const anywhere = '*';
/** What WHATWG's parser and older ones disagree on. */
const ambiguous = /[^\u0021-\u007e]|[\\@]/;

export function createFollowedRedirects(): FollowedRedirects {
  const traces = new Map<string, Trace>();

  const isWithheld = (secret: string, origin: string): boolean => {
    const trace = traces.get(secret);
    if (trace === undefined || trace.given.has(origin)) return false;
    return trace.led.has(origin) || trace.led.has(anywhere);
  };
  const traceOf = (secret: string): Trace => {
    const known = traces.get(secret);
    if (known !== undefined) return known;
    const [oldest] = traces.keys();
    if (oldest !== undefined && traces.size >= most) traces.delete(oldest);
    const trace: Trace = { given: new Set(), led: new Set() };
    traces.set(secret, trace);
    return trace;
  };

  return {
    headersFor: ({ url, headers }) => {
      const origin = originOf(url);
      if (traces.size === 0 || origin === undefined) return headers;
      return headers.filter(
        ([name, value]) => !isSecretHeader(name) || !isWithheld(digestOf(name, value), origin),
      );
    },
    note: ({ url, headers }, answer) => {
      const origin = originOf(url);
      const target = origin === undefined ? undefined : targetOf(answer, url);
      if (origin === undefined || target === undefined || target === origin) return;
      for (const [name, value] of headers) {
        if (!isSecretHeader(name)) continue;
        const secret = digestOf(name, value);
        const wasWithheld = isWithheld(secret, origin);
        const trace = traceOf(secret);
        if (!wasWithheld) trace.given.add(origin);
        trace.led.add(target);
      }
    },
  };
}

/** Secrets themselves are not kept for longer than their call. */
const digestOf = (name: string, value: string): string =>
  hash('sha256', `${name.toLowerCase()}\n${value}`, 'base64');

function originOf(url: string, base?: string): string | undefined {
  if (!URL.canParse(url, base)) return undefined;
  const { protocol, hostname, port } = new URL(url, base);
  return `${protocol}//${hostname.replace(/\.$/, '')}:${port}`;
}

/** The origin that an answer leads to; undefined: it is no redirect. */
function targetOf({ status, headers }: Answer, url: string): string | undefined {
  const location = headers.find(([name]) => name === 'location')?.[1];
  if (location === undefined || status < 300 || status > 399) return undefined;
  return ambiguous.test(location) ? anywhere : (originOf(location, url) ?? anywhere);
}
