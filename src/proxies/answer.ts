import { Readable } from 'node:stream';
import { problem } from '#http/problem.ts';
import type { Answer } from '#http/route.ts';
import type { OutboundHeaders, OutboundStream } from '#ports/outbound.ts';
import { PayloadTooLarge, Refused } from '#src/errors.ts';
import { bodyFrom, readBody } from '#src/proxies/content.ts';
import type { ReadBody } from '#src/proxies/content.ts';
import { destinationStatus, grouped, responseHeaders, sandboxed } from '#src/proxies/headers.ts';
import { proxyingLimits } from '#src/proxies/limits.ts';
import { headerOf, withoutHeaders } from '#src/proxies/message.ts';
import { problemAnswer, transformAnswer } from '#src/proxies/problems.ts';
import type { Transformed, TransformOutcome } from '#src/proxies/transform.ts';
import { decodedBody, wholeBody } from '#src/proxies/wholeBody.ts';
import type { Json } from '#ports/json.ts';

const withoutBody = new Set([204, 205, 304]);

/** An answer of a destination, as it comes: it is never held whole. */
export async function handedOn(answer: OutboundStream, method: string): Promise<Answer> {
  const { status, body } = answer;
  const headers = responseHeaders(answer.headers);
  if (method !== 'HEAD' && !withoutBody.has(status)) {
    return made(status, headers, Readable.from(body, { objectMode: false }));
  }
  // There is nothing in it, but it has to be read for the connection to be used again.
  for await (const _ of body) void _;
  return { status, headers: grouped(told(headers, status)) };
}

/** What a transform is to make of an answer; the destination is waited for until it is whole. */
export type TransformAnswer = (args: Json) => Promise<TransformOutcome>;

/**
 * An answer of a destination, after a transform.
 * @throws OutboundFailed
 */
export async function transformed(answer: OutboundStream, transform: TransformAnswer): Promise<Answer> {
  const { status } = answer;
  const read = await readAnswer(answer);
  if ('problem' in read) return withStatus(read.problem, status);
  const outcome = await transform({ headers: grouped(read.headers), body: read.body.content });
  if ('answer' in outcome) return withStatus(transformAnswer(outcome.answer), status);
  return transformedAnswer(status, read, outcome.message);
}

type ReadAnswer = { headers: OutboundHeaders; body: ReadBody };

function transformedAnswer(status: number, before: ReadAnswer, message: Transformed): Answer {
  const given = (message.headers ?? before.headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const { headers, body } = bodyFrom(message.body, responseHeaders(given), before.body);
  if (body === undefined || withoutBody.has(status)) {
    return { status, headers: grouped(told(headers, status)) };
  }
  return made(status, headers, body);
}

async function readAnswer(answer: OutboundStream): Promise<ReadAnswer | { problem: Answer }> {
  const { transformedBytes: most } = proxyingLimits;
  const headers = responseHeaders(answer.rawHeaders);
  try {
    const bytes = await decodedBody(
      await wholeBody(answer.body, most),
      headerOf(headers, 'content-encoding'),
      most,
    );
    const body = readBody(bytes, headers);
    if (body !== undefined) return { headers: withoutHeaders(headers, 'content-encoding'), body };
    return { problem: problemAnswer(problem(502, 'What the destination answered is not text.')) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const detail =
      error instanceof PayloadTooLarge
        ? `What the destination answered is longer than the ${most} bytes that a transform may be given.`
        : 'What the destination answered cannot be decompressed.';
    return { problem: problemAnswer(problem(502, detail)) };
  }
}

function made(status: number, headers: OutboundHeaders, data: Readable | Uint8Array): Answer {
  return {
    status,
    headers: grouped(told(withoutHeaders(headers, 'content-type'), status)),
    content: { type: headerOf(headers, 'content-type'), data },
  };
}

const told = (headers: OutboundHeaders, status: number): OutboundHeaders => [
  ...headers,
  sandboxed,
  [destinationStatus, String(status)],
];

/** What the service answers in place of a destination that has answered. */
export const withStatus = (answer: Answer, status: number): Answer => ({
  ...answer,
  headers: { ...answer.headers, [destinationStatus]: String(status) },
});
