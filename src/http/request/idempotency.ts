import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Answer, Route } from '#http/route.ts';
import { invalid } from '#http/validation/faults.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { Idempotency, IdempotencyScope, StoredAnswer } from '#ports/idempotency.ts';
import type { Logger } from '#ports/logger.ts';
import { Conflicted, Refused, Unavailable } from '#src/errors.ts';

const longestKey = 400;

/** Runs a command under an id; `repeated` when one of this id may have run before. */
export type Run = (commandId: string, repeated: boolean) => Promise<Answer>;

/**
 * Runs a command once for each idempotency key: a success is kept and answered again, whatever the later
 * request holds. A refusal gives the key back. Anything else leaves open what happened: the retry takes the claim
 * over, and runs under the same command id.
 * @throws Conflicted while the first request with the key runs
 */
export async function answerOnce(
  idempotency: Idempotency,
  logger: Logger,
  route: Route,
  scope: IdempotencyScope | undefined,
  run: Run,
): Promise<Answer> {
  if (scope === undefined) return run(randomUUID(), false);
  const claim = await idempotency.claim(scope);
  if (claim.outcome === 'answered') {
    const { status, body, shown } = claim.answer;
    return { status, body, replayed: true, ...(shown === undefined ? {} : { about: shown, shown }) };
  }
  if (claim.outcome === 'in_flight') {
    throw new Conflicted('A request with this idempotency key is still being carried out.');
  }
  const answer = await runClaimed(idempotency, logger, scope, claim.repeated, () =>
    run(claim.commandId, claim.repeated),
  );
  // The command is done, whether or not its answer can be kept.
  await attempt(logger, 'an answer could not be kept for its idempotency key', () => {
    if (!isSuccess(answer) || answer.content !== undefined) return idempotency.release(scope);
    if (answer.transient === true) return idempotency.abandon(scope);
    return idempotency.succeed(scope, stored(answer), route.sensitive ?? false);
  });
  return answer;
}

/** The scope of a request's key, or undefined when it has none. @throws ValidationFailed */
export function scopeOf(
  headers: IncomingHttpHeaders,
  route: Route,
  params: Record<string, string>,
  caller: Caller | undefined,
): IdempotencyScope | undefined {
  if (!route.idempotent || caller === undefined) return undefined;
  const [name, key] = keyIn(headers);
  if (key === undefined || key === '') return undefined;
  if (key.length > longestKey) throw invalid(name, `must be at most ${longestKey} characters long`);
  return {
    tenantId: caller.tenantId,
    // Sessions of one application are not each other's business.
    applicationId: caller.type === 'session' ? caller.keyId : caller.applicationId,
    method: route.method,
    route: route.path.replace(/:(\w+)/g, (_, parameter: string) =>
      encodeURIComponent(params[parameter] ?? ''),
    ),
    key,
  };
}

function keyIn(headers: IncomingHttpHeaders): [string, string | undefined] {
  const own = headers['bt-idempotency-key'];
  if (own !== undefined) return ['BT-IDEMPOTENCY-KEY', first(own)];
  return ['Idempotency-Key', first(headers['idempotency-key'])];
}

const first = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

async function runClaimed(
  idempotency: Idempotency,
  logger: Logger,
  scope: IdempotencyScope,
  repeated: boolean,
  run: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    // What an earlier run has done stays done, though it is refused now: the key is not free for another command.
    const refused = error instanceof Refused && !(error instanceof Unavailable) && !repeated;
    await attempt(logger, 'an idempotency key could not be given back', () =>
      refused ? idempotency.release(scope) : idempotency.abandon(scope),
    );
    throw error;
  }
}

async function attempt(logger: Logger, failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.warn({ error: error instanceof Error ? error.name : typeof error }, failure);
  }
}

const isSuccess = (answer: Answer): boolean => answer.status >= 200 && answer.status < 300;

/** As it goes over the wire: what was undefined or a date there is not kept as such. */
const stored = (answer: Answer): StoredAnswer => ({
  status: answer.status,
  body: answer.body === undefined ? undefined : JSON.parse(JSON.stringify(answer.body)),
  ...(answer.about === undefined ? {} : { shown: answer.about }),
});
