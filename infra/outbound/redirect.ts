import type { PreparedRequest } from '#infra/outbound/preparedRequest.ts';
import { OutboundRefused } from '#ports/outbound.ts';
import type { OutboundHeaders } from '#ports/outbound.ts';
import { isSecretHeader } from '#src/secretHeaders.ts';

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** Fetch standard, "request-body-header name"; lengths are the connection's. */
const bodyHeaders = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

type Answer = { status: number; headers: OutboundHeaders };

/** Whether an answer asks to go elsewhere, and says where. */
export function isRedirect(answer: Answer): boolean {
  return redirectStatuses.has(answer.status) && locationIn(answer) !== undefined;
}

/**
 * The request that a redirect asks for, unchecked. Source: Fetch standard, "HTTP-redirect fetch".
 * @throws OutboundRefused when it leads nowhere
 */
export function redirected(request: PreparedRequest, answer: Answer): PreparedRequest {
  const { status } = answer;
  const location = locationIn(answer) ?? '';
  if (!URL.canParse(location, request.url.href)) throw new OutboundRefused('url');
  const url = new URL(location, request.url);
  const headers =
    url.origin === request.url.origin
      ? request.headers
      : request.headers.filter(([name]) => !isSecretHeader(name));
  const becomesGet =
    (status === 303 && request.method !== 'GET' && request.method !== 'HEAD') ||
    ((status === 301 || status === 302) && request.method === 'POST');
  if (!becomesGet) return { ...request, url, headers };
  return { url, method: 'GET', headers: without(headers, bodyHeaders), body: undefined };
}

function locationIn({ headers }: Answer): string | undefined {
  return headers.find(([name]) => name === 'location')?.[1];
}

function without(headers: OutboundHeaders, names: ReadonlySet<string>): OutboundHeaders {
  return headers.filter(([name]) => !names.has(name.toLowerCase()));
}
