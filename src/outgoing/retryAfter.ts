import type { OutboundHeaders } from '#ports/outbound.ts';
import { httpDateOf } from '#src/outgoing/httpDate.ts';

/** A receiver cannot put off for longer, in milliseconds. */
const longest = 2.5 * 60 * 60_000;

/** What `Retry-After` asks for, in milliseconds: RFC 9110 §10.2.3, seconds or a date. */
export function retryAfterOf(headers: OutboundHeaders, now: Date): number | undefined {
  const text = headers.find(([name]) => name === 'retry-after')?.[1].trim();
  if (text === undefined) return undefined;
  const end = /^\d+$/.test(text) ? now.getTime() + Number(text) * 1_000 : httpDateOf(text);
  return end === undefined ? undefined : Math.min(Math.max(0, end - now.getTime()), longest);
}
