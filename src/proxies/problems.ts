import { problem } from '#http/problem.ts';
import type { Problem } from '#http/problem.ts';
import type { Answer } from '#http/route.ts';
import {
  OutboundFailed,
  OutboundRefused,
  OutboundTimedOut,
  OutboundTooLarge,
  OutboundUnreachable,
} from '#ports/outbound.ts';
import { grouped, listed, responseHeaders, sandboxed } from '#src/proxies/headers.ts';
import { withoutHeaders } from '#src/proxies/message.ts';
import { contentOf, isProblem } from '#src/reactors/content.ts';
import type { ReactorAnswer } from '#src/reactors/invocation.ts';

const titles: Readonly<Record<number, string>> = {
  400: 'Invalid proxy request',
  401: 'Unauthorized proxy request',
};

/**
 * A problem of the service in the way, told apart from one of the destination. Source: reference of proxy errors.
 * The detail says what is wrong, since clients of proxies read no further.
 */
export function wrapped(given: Problem): { proxy_error: Problem } {
  const { status, detail, errors = {} } = given;
  const faults = Object.entries(errors).flatMap(([path, messages]) =>
    messages.map((message) => sentence(path, message)),
  );
  const messages = [...new Set(faults)];
  const isTold = status === 400 && messages.length > 0;
  return {
    proxy_error: {
      errors,
      title: titles[status] ?? given.title,
      status,
      detail: isTold ? messages.join('; ') : detail,
    },
  };
}

/** Faults are told of what is at a path, by which a sentence begins; some say already what they are about. */
const sentence = (path: string, message: string): string =>
  /^\p{Ll}/u.test(message) ? `${path} ${message}` : message;

/** Whether it is an error of the service, rather than what a destination or code has composed. */
export const isWrapped = (body: unknown): body is { proxy_error: Problem } =>
  typeof body === 'object' && body !== null && 'proxy_error' in body;

export const problemAnswer = (given: Problem): Answer => ({ status: given.status, body: wrapped(given) });

/** What a transform answers in place of its message: its errors wrapped, its own response under {@link ownHeaders}. */
export function transformAnswer(answer: ReactorAnswer): Answer {
  const { status, headers } = answer;
  if (!isProblem(answer)) return { status, headers: ownHeaders(answer), content: contentOf(answer) };
  const given = answer.body as Problem;
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: { proxy_error: { ...given, errors: given.errors ?? {} } },
  };
}

/** A link may lead a browser to a proxy without authentication, so that code has no more of a say than a destination. */
function ownHeaders({ headers }: ReactorAnswer): Answer['headers'] {
  const given = listed(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return grouped([...withoutHeaders(responseHeaders(given), 'content-type'), sandboxed]);
}

/** Why there is no answer of the destination to pass on; undefined: it is nothing of this. @param seconds it had */
export function failureAnswer(error: unknown, seconds: number): Answer | undefined {
  if (!(error instanceof OutboundFailed)) return undefined;
  if (error instanceof OutboundTimedOut) {
    return problemAnswer(problem(408, `The destination did not answer within ${seconds} seconds.`));
  }
  if (error instanceof OutboundRefused) return problemAnswer(problem(400, error.message));
  if (error instanceof OutboundTooLarge && error.part === 'request') {
    return problemAnswer(problem(413, error.message));
  }
  const detail = error instanceof OutboundUnreachable || error instanceof OutboundTooLarge;
  return problemAnswer(problem(502, detail ? error.message : undefined));
}
