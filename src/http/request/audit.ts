import type { HttpContext } from '#http/context.ts';
import { problemOf } from '#http/problem.ts';
import type { Answer, Method, Route } from '#http/route.ts';
import type { Audit, AuditEntry } from '#ports/audit.ts';
import type { Clock } from '#ports/clock.ts';
import type { Operation } from '#src/audit/vocabulary.ts';
import { Refused } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';

export type AuditDependencies = {
  audit: Audit;
  clock: Clock;
  /** Whether a token has, or had, this id: it was looked at then, and holds no secret. */
  knowsToken(tenantId: string, id: string): Promise<boolean>;
};

const operations: Readonly<Record<Method, Operation>> = {
  GET: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
};

/**
 * Writes down what an answer shows, before it leaves. What it changed is told by its events, so a change that
 * shows nothing else leaves nothing here.
 * @throws AuditUnavailable
 */
export async function auditAnswer(
  { audit, clock }: AuditDependencies,
  route: Route,
  context: HttpContext,
  answer: Answer,
): Promise<void> {
  if (route.audits === undefined) return;
  const { shown, status, detail = '' } = answer;
  if (shown === undefined && operationOf(route) !== 'read' && answer.replayed !== true) return;
  const read = (entityId: string, detail: string): AuditEntry =>
    entryOf(route, context, clock, { operation: 'read', outcome: 'succeeded', status, entityId, detail });
  await audit.record(
    shown === undefined || shown.length === 0
      ? [read(requestedId(context) || idIn(answer.body), detail)]
      : shown.map(({ id, transform, rendered }) => read(id, rendered ?? transform)),
  );
}

/**
 * Writes down that a request was refused, before it is told. Failures of the service are none.
 * @throws AuditUnavailable
 */
export async function auditRefusal(
  { audit, clock, knowsToken }: AuditDependencies,
  route: Route,
  context: HttpContext,
  error: unknown,
): Promise<void> {
  if (!route.authenticated || !(error instanceof Refused)) return;
  const { status } = problemOf(error);
  if (status >= 500) return;
  const entityId = error.entityId ?? (requestedId(context) || (await tokenIn(route, context, knowsToken)));
  const operation = operationOf(route);
  await audit.record([
    entryOf(route, context, clock, { operation, outcome: 'refused', status, entityId, detail: '' }),
  ]);
}

/** What a request does to what its route is about. */
export const operationOf = ({ audits, method }: Route): Operation => audits?.operation ?? operations[method];

type Act = Pick<AuditEntry, 'operation' | 'outcome' | 'status' | 'entityId' | 'detail'>;

function entryOf(route: Route, context: HttpContext, clock: Clock, act: Act): AuditEntry {
  const { caller, traceId, address } = context.state;
  const { operation, outcome, status, entityId, detail } = act;
  return {
    occurredAt: clock.now(),
    tenantId: caller?.tenantId,
    actor:
      caller === undefined
        ? { type: 'anonymous', id: '' }
        : { type: 'application', id: caller.applicationId },
    keyId: caller?.keyId ?? '',
    operation,
    entityType: route.audits?.entity ?? '',
    entityId,
    outcome,
    status,
    detail,
    address,
    traceId,
  };
}

/** The id in the path, if it can hold nothing else: clients put into paths what must not lie in a log. */
function requestedId(context: HttpContext): string {
  const { keyId, id } = (context as { params?: Record<string, string> }).params ?? {};
  const requested = keyId ?? id ?? '';
  return isUuid(requested) ? requested : '';
}

/** A token's id may be anything, but not for one that is there. */
async function tokenIn(
  route: Route,
  context: HttpContext,
  knowsToken: AuditDependencies['knowsToken'],
): Promise<string> {
  const { caller } = context.state;
  const { id } = (context as { params?: Record<string, string> }).params ?? {};
  if (caller === undefined || id === undefined || !route.path.startsWith('/tokens/')) return '';
  return (await knowsToken(caller.tenantId, id)) ? id : '';
}

function idIn(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('id' in body)) return '';
  return typeof body.id === 'string' ? body.id : '';
}
