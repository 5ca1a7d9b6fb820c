import type { CommandDependencies, Outcome } from '#commands/context.ts';
import type { Transform } from '#access/accessRule.ts';
import type { Answer } from '#http/route.ts';
import { presentToken } from '#http/presenters/token.ts';
import type { ShownToken } from '#access/showToken.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { Origin } from '#ports/dispatch.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { readerOf } from '#queries/token/get.ts';
import type { Reader } from '#queries/token/get.ts';

export type RouteDependencies = CommandDependencies & QueryDependencies;

export { commandContext } from '#commands/requestContext.ts';

/** Where a request came from, for what it sets going. */
export const originOf = (request: {
  traceId: string;
  address: string;
  lent?: { depth: number } | undefined;
}): Origin => ({ traceId: request.traceId, address: request.address, depth: request.lent?.depth ?? 0 });

/** The caller as queries want it. */
export const reader = ({ caller }: { caller: Caller }): Reader => readerOf(caller);

/** The answer of a command that shows tokens. */
export function answerTokens(
  status: number,
  outcome: Outcome<readonly ShownToken[]>,
  present: (tokens: readonly ShownToken[]) => unknown,
): Answer {
  const transient = outcome.result.some(({ isTransient }) => isTransient === true);
  // What the request itself gave is told by its events.
  const stored = outcome.result.filter(
    ({ isExisting, isStored }) => isExisting === true || isStored === true,
  );
  return {
    ...answer(status, outcome, present),
    transient,
    about: shownOf(outcome.result),
    ...(stored.length === 0 ? {} : { shown: shownOf(stored) }),
  };
}

/** What the audit log is told of tokens in an answer. */
export const shownOf = (tokens: readonly ShownToken[]): ShownInAnswer[] =>
  tokens.map(({ token, transform, rendered }) => ({ id: token.id, transform, rendered }));

type ShownInAnswer = { id: string; transform: Transform; rendered: Transform };

/** {@link answerTokens} for one. */
export const answerToken = (status: number, { result, stale }: Outcome<ShownToken>): Answer =>
  answerTokens(status, { result: [result], stale }, ([token]) => token && presentToken(token));

/** The answer of a command; says so when lists may not show the change yet. */
export function answer<Result>(
  status: number,
  { result, stale }: Outcome<Result>,
  present?: (result: Result) => unknown,
): Answer {
  return {
    status,
    ...(stale ? { headers: { 'Holdfast-Stale': 'true' } } : {}),
    ...(present === undefined ? {} : { body: present(result) }),
  };
}
