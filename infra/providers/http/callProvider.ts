import { parseJson } from '#infra/providers/http/json.ts';
import {
  OutboundFailed,
  OutboundRefused,
  OutboundTimedOut,
  OutboundTooLarge,
  OutboundUnreachable,
} from '#ports/outbound.ts';
import type { Outbound, OutboundHeaders, OutboundRequest } from '#ports/outbound.ts';
import type { NotDone, Unknown } from '#ports/paymentOutcome.ts';
import { httpDateOf } from '#src/outgoing/httpDate.ts';

/** An answer that says something: any status but 429, 3xx and 5xx. */
export type ProviderAnswer = { status: 'answered'; code: number; json: unknown };

/**
 * Makes one call, once, and says what its failing means for money. Of the failure nothing is kept but its kind: its
 * message and cause belong to a request that holds a card number and a key.
 * @param key what the request is authenticated with: an answer that quotes it is read without it
 */
export async function callProvider(
  outbound: Outbound,
  request: OutboundRequest,
  key: string,
  now: () => Date,
): Promise<ProviderAnswer | NotDone | Unknown> {
  try {
    const { status: code, headers, body } = await outbound.send(request);
    if (code === 429) return limited(headers, now());
    if (code >= 500) return { status: 'unknown', reason: 'server_error' };
    const json = parseJson(key === '' ? body : withoutKey(body, key));
    // Refusals of credentials by a gateway in front of the provider come without JSON.
    const readable = json !== undefined || code === 401 || code === 403;
    const answered = readable && code >= 200 && (code < 300 || code >= 400);
    return answered ? { status: 'answered', code, json } : { status: 'unknown', reason: 'invalid_answer' };
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error;
    return meaningOf(error);
  }
}

function withoutKey(body: Uint8Array, key: string): Uint8Array {
  const bytes = Buffer.from(body);
  return bytes.includes(key) ? Buffer.from(bytes.toString().replaceAll(key, '')) : body;
}

function meaningOf(failure: OutboundFailed): NotDone | Unknown {
  if (failure instanceof OutboundRefused) return { status: 'not_done', reason: 'refused' };
  if (failure instanceof OutboundTimedOut) {
    return failure.phase === 'connection'
      ? { status: 'not_done', reason: 'unreachable' }
      : { status: 'unknown', reason: 'timeout' };
  }
  if (failure instanceof OutboundTooLarge) {
    return failure.part === 'request'
      ? { status: 'not_done', reason: 'refused' }
      : { status: 'unknown', reason: 'invalid_answer' };
  }
  if (failure instanceof OutboundUnreachable) {
    switch (failure.obstacle) {
      case 'name':
      case 'certificate':
        return { status: 'not_done', reason: 'unreachable' };
      case 'closed':
        return { status: 'not_done', reason: 'stopping' };
      case 'connection':
        return { status: 'unknown', reason: 'connection' };
      case 'answer':
        return { status: 'unknown', reason: 'invalid_answer' };
    }
  }
  return { status: 'unknown', reason: 'connection' };
}

/** Providers turn away what is over their limit before they look at it. */
function limited(headers: OutboundHeaders, now: Date): NotDone {
  const wait = headers.find(([name]) => name === 'retry-after')?.[1];
  const milliseconds = wait === undefined ? undefined : millisecondsOf(wait, now);
  return {
    status: 'not_done',
    reason: 'rate_limit',
    ...(milliseconds === undefined ? {} : { retryAfterMilliseconds: milliseconds }),
  };
}

/** Seconds, or a date. Source: RFC 9110 §10.2.3. No provider makes us wait for more than an hour. */
function millisecondsOf(wait: string, now: Date): number | undefined {
  const end = /^\d{1,9}$/.test(wait) ? now.getTime() + Number(wait) * 1000 : httpDateOf(wait);
  return end === undefined ? undefined : Math.min(Math.max(end - now.getTime(), 0), 3_600_000);
}
