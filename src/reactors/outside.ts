import type { InnerRequest } from '#ports/dispatch.ts';
import type { CodeCall, CodeCallAnswer } from '#ports/sandbox.ts';
import {
  OutboundFailed,
  OutboundRefused,
  OutboundTimedOut,
  OutboundTooLarge,
  OutboundUnreachable,
} from '#ports/outbound.ts';
import type { Outbound, OutboundRequest, OutboundTls } from '#ports/outbound.ts';
import type { AnswerBudget } from '#src/reactors/answerBudget.ts';
import type { Bt } from '#src/reactors/bt.ts';
import type { FollowedRedirects } from '#src/reactors/followedRedirects.ts';

/** Makes a call of the service, as the library in the sandbox has put it together. */
export async function callForCode(bt: Bt, { payload }: CodeCall): Promise<CodeCallAnswer> {
  // Of any shape: whoever takes it looks.
  const answer = await bt(JSON.parse(payload) as InnerRequest);
  return { failed: false, payload: JSON.stringify(answer) };
}

/** Performs an HTTP request of code, through the guard. What fails is named as Node would. */
export async function fetchForCode(
  { outbound, budget, redirects }: { outbound: Outbound; budget: AnswerBudget; redirects: FollowedRedirects },
  { tenantId, onBehalfOf }: Pick<OutboundRequest, 'tenantId' | 'onBehalfOf'>,
  { payload, signal }: CodeCall,
): Promise<CodeCallAnswer> {
  const request = requestIn(payload);
  if (request === undefined) return failed('ERR_INVALID_ARG_VALUE', 'The request is not well-formed.');
  let taken = 0;
  try {
    const headers = redirects.headersFor(request);
    const answered = await outbound.stream({
      ...request,
      headers,
      tenantId,
      onBehalfOf: onBehalfOf ?? [],
      signal,
    });
    const { status, rawHeaders, body } = answered;
    redirects.note(request, answered);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) {
      if (!budget.take(tenantId, chunk.length)) {
        return failed('EMSGSIZE', 'The answers that are under way are too large together.');
      }
      taken += chunk.length;
      chunks.push(chunk);
    }
    const answer = { status, headers: rawHeaders, body: Buffer.concat(chunks).toString('base64') };
    return { failed: false, payload: JSON.stringify(answer) };
  } catch (error) {
    // The code waits no longer, or there is nothing that it should know.
    if (!(error instanceof OutboundFailed)) return failed('ECONNRESET', 'The request was given up.');
    return failed(codeOf(error), error.message);
  } finally {
    budget.giveBack(tenantId, taken);
  }
}

type FetchRequest = Pick<OutboundRequest, 'tls'> & {
  url: string;
  method: string;
  headers: [string, string][];
  body?: Uint8Array;
};

/** What comes out of a sandbox is not trusted to have the right shape. */
function requestIn(payload: string): FetchRequest | undefined {
  try {
    const { url, method, headers, body, tls } = JSON.parse(payload) as Record<string, unknown>;
    if (typeof url !== 'string' || typeof method !== 'string' || !Array.isArray(headers)) return undefined;
    const pairs = headers.filter(isPair);
    if (pairs.length !== headers.length) return undefined;
    return {
      url,
      method,
      headers: pairs,
      ...(typeof body === 'string' ? { body: Buffer.from(body, 'base64') } : {}),
      ...(tls === undefined ? {} : { tls: tlsIn(tls) }),
    };
  } catch {
    return undefined;
  }
}

/** @throws TypeError for what is none */
function tlsIn(value: unknown): OutboundTls {
  const { cert, key, ca } = value as Record<string, unknown>;
  const texts = { cert, key, ca };
  if (Object.values(texts).some((text) => text !== undefined && typeof text !== 'string')) {
    throw new TypeError('what TLS is given must be texts');
  }
  return texts as OutboundTls;
}

const isPair = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');

function codeOf(error: OutboundFailed): string {
  if (error instanceof OutboundRefused) {
    return error.reason === 'certificate' ? 'ERR_TLS_INVALID_CONTEXT' : 'EACCES';
  }
  if (error instanceof OutboundTimedOut) return 'ETIMEDOUT';
  if (error instanceof OutboundTooLarge) return 'EMSGSIZE';
  if (!(error instanceof OutboundUnreachable)) return 'ECONNRESET';
  const codes = {
    name: 'ENOTFOUND',
    connection: 'ECONNREFUSED',
    certificate: 'CERT_HAS_EXPIRED',
    answer: 'HPE_INVALID_CONSTANT',
    closed: 'ECONNRESET',
  } as const;
  return error.obstacle === 'certificate' ? 'ERR_TLS_CERT_ALTNAME_INVALID' : codes[error.obstacle];
}

const failed = (code: string, message: string): CodeCallAnswer => ({
  failed: true,
  payload: JSON.stringify({ code, message }),
});
