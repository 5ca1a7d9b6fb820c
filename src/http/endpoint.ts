import { mayAnywhere } from '#access/evaluate.ts';
import { otherNameOf } from '#access/permissions.ts';
import type { RouterMiddleware } from '@koa/router';
import type { HttpContext, RequestState } from '#http/context.ts';
import { authenticate, requireOrigin, showsKey } from '#http/request/authenticate.ts';
import { auditAnswer, auditRefusal } from '#http/request/audit.ts';
import type { AuditDependencies } from '#http/request/audit.ts';
import { answerOnce, scopeOf } from '#http/request/idempotency.ts';
import type { CardWatch } from '#http/request/cardWatch.ts';
import type { RateGate } from '#http/request/rateGate.ts';
import { requireLendable } from '#http/request/requireLendable.ts';
import { markParked } from '#http/request/parked.ts';
import { inputReader } from '#http/request/input.ts';
import type { Answer, Route } from '#http/route.ts';
import { send, withdraw } from '#http/send.ts';
import type { AccessDirectory, Caller } from '#ports/accessDirectory.ts';
import type { Idempotency } from '#ports/idempotency.ts';
import type { Logger } from '#ports/logger.ts';
import type { Views } from '#ports/views.ts';
import { Forbidden, RateLimited } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';

export type EndpointDependencies = AuditDependencies & {
  views: Pick<Views, 'isParked'>;
  accessDirectory: Pick<AccessDirectory, 'find'>;
  idempotency: Idempotency;
  rateLimits: RateGate;
  cardWatch?: CardWatch;
  logger: Logger;
};

/** The steps of a request, in the order in which its faults are answered: 401, 403, 415, 400, the handler's. */
export function endpoint(route: Route, dependencies: EndpointDependencies): RouterMiddleware<RequestState> {
  const readInput = inputReader(route);
  const { accessDirectory, idempotency, rateLimits, cardWatch, logger } = dependencies;
  const passTokens = async (
    route: Route,
    context: HttpContext,
    caller: Caller,
    body: unknown,
  ): Promise<void> => {
    const { tokensIn, cardNumbersIn } = route;
    if (tokensIn !== undefined) await rateLimits.passTokens(context, caller, () => tokensIn(body));
    if (cardNumbersIn !== undefined) cardWatch?.see(context.state.address, caller.type, cardNumbersIn(body));
  };
  const answerTo = async (context: HttpContext, params: Record<string, string>): Promise<Answer> => {
    requireLendable(route, context.state.lent);
    const caller = await callerOf(route, context, accessDirectory);
    if (caller !== undefined) {
      context.state.caller = caller;
      requireOrigin(context, caller);
      authorize(caller, route.permission);
    }
    const input = await readInput(context, params).catch(async (error: unknown) => {
      if (caller !== undefined) await route.requireFound?.(caller, params);
      throw error;
    });
    if (caller !== undefined) await passTokens(route, context, caller, input.body);
    const scope = scopeOf(context.req.headers, route, input.params, caller);
    const { traceId, address, lent } = context.state;
    const inner = lent === undefined ? {} : { lent: { depth: lent.depth } };
    const answer = await answerOnce(idempotency, logger, route, scope, (commandId, repeated) =>
      route.handle({ ...input, caller, traceId, address, commandId, repeated, ...inner }),
    );
    if (answer.replayed === true && caller !== undefined) {
      await route.requireStillShown?.(caller, answer.about ?? []);
    }
    return caller === undefined
      ? answer
      : markParked(dependencies.views, route, caller.tenantId, input.params, answer);
  };
  return async (context) => {
    context.state.route = route.path;
    context.state.takesKey = route.authenticated !== false;
    context.state.problemForm = route.problemForm;
    // Before anything is looked up, and outside of what the audit log hears of: a flood must not become one there.
    if (route.rateScope !== undefined) await rateLimits.pass(context, route.rateScope);
    let answer: Answer;
    try {
      answer = await answerTo(context, canonical(route, context.params));
    } catch (error) {
      if (!(error instanceof RateLimited)) await auditRefusal(dependencies, route, context, error);
      throw error;
    }
    // Nothing leaves before the end. A problem that takes the place of a body that flows lets go of what it came from.
    send(context, answer);
    try {
      await auditAnswer(dependencies, route, context, answer);
    } catch (error) {
      withdraw(context, answer);
      throw error;
    }
  };
}

/** Uuids are one in any case; ids of tokens are anybody's texts. */
function canonical({ path }: Route, params: Record<string, string>): Record<string, string> {
  if (path.startsWith('/tokens/')) return params;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, isUuid(value) ? value.toLowerCase() : value]),
  );
}

async function callerOf(
  { authenticated }: Route,
  context: HttpContext,
  directory: EndpointDependencies['accessDirectory'],
): Promise<Caller | undefined> {
  const isAsked = authenticated === 'optional' ? showsKey(context) : authenticated;
  return isAsked ? authenticate(context, directory) : undefined;
}

function authorize(caller: Caller, permission: string | undefined): void {
  if (permission === undefined || mayAnywhere(caller, permission)) return;
  const other = otherNameOf(permission);
  if (other !== undefined && mayAnywhere(caller, other)) return;
  throw new Forbidden(`The application lacks the permission ${permission}.`);
}
