import { problem } from '#http/problem.ts';
import type { Problem } from '#http/problem.ts';
import type { Faults } from '#src/errors.ts';
import type { ReactorAnswer } from '#src/reactors/invocation.ts';
import { problemHeaders } from '#src/reactors/content.ts';
import { customAnswer, validHeaders } from '#src/reactors/customAnswer.ts';
import type { SandboxOutcome, Thrown } from '#ports/sandbox.ts';

const runtimeDetail = 'Reactor Runtime Error';
const invalidDetail = 'Invalid Reactor Formula';

/** Statuses and details of what code may throw, by name. Source: reference of reactor errors. */
const reactorErrors: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  AuthenticationError: [401, 'Authentication Failed'],
  AuthorizationError: [403, 'Forbidden'],
  BadRequestError: [400, 'Bad Request'],
  InvalidPaymentMethodError: [402, 'Invalid Payment Method'],
  InvalidReactorConfigurationError: [400, 'Invalid Reactor Configuration'],
  RateLimitError: [429, 'Rate Limit Exceeded'],
  ReactorRuntimeError: [500, runtimeDetail],
  ServiceUnavailableError: [503, 'Service Unavailable'],
};

const invalidAnswer = `The custom response has no valid status, headers or body: ${validHeaders}.`;

const mostFaults = 100;
const longestMessage = 10_000;

/** What a caller is told of an outcome that is no result. */
export function failedAnswer(
  outcome: Exclude<SandboxOutcome, { kind: 'returned' }>,
  milliseconds: number,
): ReactorAnswer {
  switch (outcome.kind) {
    case 'threw':
      return thrownAnswer(outcome.thrown);
    case 'does_not_compile':
      return problemAnswer(invalidCode(outcome.message));
    case 'not_a_function':
      return problemAnswer(
        invalidCode('The code must export a function: module.exports = async (req) => ...'),
      );
    case 'timed_out':
      return runtimeError(`The reactor timed out: it did not end within ${milliseconds / 1000} seconds.`);
    case 'out_of_memory':
      return runtimeError('The reactor ran out of memory.');
    case 'too_large':
      return runtimeError('What the reactor returned is too large, or too deeply nested.');
    case 'crashed':
      return runtimeError('The reactor was interrupted: the process that it ran in ended.');
    case 'unconfined':
      return problemAnswer(
        problem(503, 'Code of tenants cannot be confined on this machine, so none is run.'),
      );
    case 'busy': {
      const busy = problem(429, 'Too many reactors of the tenant are running.');
      return { ...problemAnswer(busy), headers: { ...problemHeaders, 'Retry-After': '1' } };
    }
  }
}

/** @param message for whoever wrote the code */
export const runtimeError = (message: string): ReactorAnswer =>
  problemAnswer({ ...problem(500, runtimeDetail, { error: [message] }), title: runtimeDetail });

const invalidCode = (message: string): Problem => problem(422, invalidDetail, { error: [message] });

export const problemAnswer = (body: Problem): ReactorAnswer => ({
  status: body.status,
  headers: problemHeaders,
  body,
});

/** By the name, for classes are others in each isolate. Whatever is not one of ours is an error of the code. */
function thrownAnswer(thrown: Thrown): ReactorAnswer {
  if (thrown.name === 'CustomHttpResponseError') {
    return customAnswer(thrown) ?? runtimeError(invalidAnswer);
  }
  const known = Object.hasOwn(reactorErrors, thrown.name) ? reactorErrors[thrown.name] : undefined;
  const [status, detail] = known ?? baseError(thrown) ?? [500, runtimeDetail];
  const errors = faultsIn(thrown.errors) ?? { error: [describe(thrown)] };
  return problemAnswer({ ...problem(status, detail, errors), title: detail });
}

/** The class that all others extend says itself what it stands for. */
function baseError({ name, status, message }: Thrown): readonly [number, string] | undefined {
  if (name !== 'BasisTheoryReactorError') return undefined;
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599;
  return isStatus ? [status, message.slice(0, longestMessage)] : undefined;
}

const describe = ({ name, message }: Thrown): string =>
  (message === '' ? name : message).slice(0, longestMessage) || 'The reactor gave no details.';

/** Messages by name, as the classes make them; undefined when it is nothing like that. */
function faultsIn(errors: unknown): Faults | undefined {
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return undefined;
  const entries = Object.entries(errors)
    .slice(0, mostFaults)
    .map(([name, messages]): [string, string[]] => [name, textsIn(messages)]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const textsIn = (messages: unknown): string[] =>
  (Array.isArray(messages) ? messages : [messages])
    .slice(0, mostFaults)
    .map((message) =>
      (typeof message === 'string' ? message : (JSON.stringify(message) ?? '')).slice(0, longestMessage),
    );

/** What an event says of an error: never the words of the code, which may hold anything. */
export function phraseOf(status: number): string {
  if (status === 422) return invalidDetail;
  return Object.values(reactorErrors).find(([known]) => known === status)?.[1] ?? runtimeDetail;
}
