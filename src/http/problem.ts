import {
  Conflicted,
  Forbidden,
  NotFound,
  PayloadTooLarge,
  RateLimited,
  Refused,
  Unauthenticated,
  Unavailable,
  Unprocessable,
  UnsupportedMediaType,
  ValidationFailed,
} from '#src/errors.ts';
import type { Faults } from '#src/errors.ts';
import type { Problem } from '#http/problemDetails.ts';
import type { HttpContext } from '#http/context.ts';
import { problemTypeFor } from '#http/problemType.ts';
import { AuditUnavailable } from '#ports/audit.ts';
import {
  AppendTooLarge,
  EventTooNew,
  LogUnavailable,
  StreamLost,
  UnknownOutcome,
  WrongLog,
} from '#ports/eventLog.ts';
import { TenantKeysMissing } from '#ports/vault.ts';
import { StoreUnavailable } from '#ports/readModels.ts';

export type { Problem } from '#http/problemDetails.ts';

type ProblemText = { title: string; detail: string };

/** Titles clients know, and what to say when an error says nothing itself. */
const texts: Readonly<Record<number, ProblemText>> = {
  400: {
    title: 'One or more validation errors occurred.',
    detail: 'The inputs supplied to the API are invalid',
  },
  401: { title: 'Unauthorized', detail: 'The BT-API-KEY header must carry the key of an application.' },
  402: { title: 'Payment Required', detail: 'The payment method was not accepted.' },
  403: { title: 'Forbidden', detail: 'The application may not do this.' },
  404: { title: 'Not Found', detail: 'There is nothing here.' },
  405: { title: 'Method Not Allowed', detail: 'The Allow header names the methods of this resource.' },
  408: { title: 'Request Timeout', detail: 'It took too long.' },
  409: { title: 'Conflict', detail: 'The request conflicts with the state of the resource.' },
  413: { title: 'Payload Too Large', detail: 'The request body is too large.' },
  415: { title: 'Unsupported Media Type', detail: 'The Content-Type is not supported here.' },
  422: { title: 'Unprocessable Entity', detail: 'The request cannot be carried out as things are.' },
  429: { title: 'Too Many Requests', detail: 'Too many requests were made.' },
  502: { title: 'Bad Gateway', detail: 'The destination gave no answer that could be passed on.' },
  503: {
    title: 'Service Unavailable',
    detail: 'Something the service stands on cannot be reached; try again.',
  },
  508: { title: 'Loop Detected', detail: 'The request has come through here too often.' },
};
const unexpected: ProblemText = {
  title: 'Internal Server Error',
  detail: 'An unexpected error occurred; the BT-TRACE-ID of this answer leads to it.',
};

const refusals: readonly [new (...parameters: never[]) => Refused, number][] = [
  [ValidationFailed, 400],
  [Unauthenticated, 401],
  [Forbidden, 403],
  [NotFound, 404],
  [Conflicted, 409],
  [PayloadTooLarge, 413],
  [UnsupportedMediaType, 415],
  [Unprocessable, 422],
  [RateLimited, 429],
  [Unavailable, 503],
];

/** How long a client should wait before it tries again, in seconds. */
const retryAfter = '1';

export function problem(status: number, detail?: string, errors?: Faults): Problem {
  const text = texts[status] ?? unexpected;
  return {
    title: text.title,
    status,
    detail: detail === undefined || detail === '' ? text.detail : detail,
    ...(errors === undefined ? {} : { errors }),
  };
}

/** The one place where errors become statuses. What it does not know is a plain 500. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ValidationFailed) return problem(400, error.message, error.faults);
  if (error instanceof Refused) {
    const status = refusals.find(([kind]) => error instanceof kind)?.[1] ?? 500;
    return problem(status, error.message);
  }
  if (error instanceof UnknownOutcome) {
    return problem(
      503,
      'The request may or may not have been carried out; try again with the same BT-IDEMPOTENCY-KEY.',
    );
  }
  if (error instanceof EventTooNew) {
    return problem(503, 'A later version of the service wrote this, and this one cannot read it: try again.');
  }
  if (error instanceof AppendTooLarge) {
    return problem(413, 'The request makes more than the event log takes.');
  }
  if (error instanceof StreamLost) {
    return problem(500, 'What this is about was deleted or truncated on the server of the event log.');
  }
  if (error instanceof AuditUnavailable) {
    return problem(503, 'The audit log cannot be written, and nothing is shown that is not written down.');
  }
  // It was deleted while the request was under way.
  if (error instanceof TenantKeysMissing) return problem(404, 'The tenant was deleted.');
  if (error instanceof WrongLog) return problem(503, 'The event log is not the one of this service.');
  if (error instanceof StoreUnavailable || error instanceof LogUnavailable) return problem(503);
  return problem(500);
}

export function sendProblem(context: HttpContext, answer: Problem): void {
  context.status = answer.status;
  const { problemForm } = context.state;
  // What a problem is put into is not one itself.
  const accept = problemForm === undefined ? context.req.headers.accept : undefined;
  context.set('Content-Type', problemTypeFor(accept));
  if (answer.status === 401) context.set('WWW-Authenticate', 'BT-API-KEY');
  if (answer.status === 503) context.set('Retry-After', retryAfter);
  context.body = JSON.stringify(problemForm?.present(answer) ?? answer);
}
