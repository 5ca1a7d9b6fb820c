import type { HttpContext, HttpMiddleware } from '#http/context.ts';
import { EventTooNew } from '#ports/eventLog.ts';
import { problemOf, sendProblem } from '#http/problem.ts';
import type { Logger } from '#ports/logger.ts';
import { LogRefused, StreamLost } from '#ports/eventLog.ts';
import { Unavailable } from '#src/errors.ts';
import { errno } from '#src/errno.ts';

/** Turns every error into a problem body, and writes down those that are the service's own. */
export function problems(logger: Logger): HttpMiddleware {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) report(logger, context, problem.status, error);
      sendProblem(context, problem);
    }
  };
}

function report(logger: Logger, context: HttpContext, status: number, error: unknown): void {
  const fields = {
    trace_id: context.state.traceId,
    method: context.method,
    route: context.state.route,
    status,
    tenant_id: context.state.caller?.tenantId,
    ...reasonOf(error),
  };
  if (status === 503) {
    logger.warn({ ...fields, error: describe(error) }, 'unavailable');
  } else {
    logger.error({ ...fields, error: describe(error) }, 'unexpected error');
  }
}

/** What an operator has to do about the event log: these sentences are Holdfast's own, and quote no values. */
function reasonOf(error: unknown): { reason?: string } {
  const cause = error instanceof Unavailable ? error.cause : error;
  return cause instanceof LogRefused || cause instanceof StreamLost ? { reason: cause.message } : {};
}

/**
 * An error without its message: drivers and parsers quote values in theirs ("invalid input syntax: …"), and a
 * value may be a card number. Name, code and place are enough to find the line.
 */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? [];
  return {
    name: error.name,
    // Of ids, types and versions only.
    reason: error instanceof EventTooNew ? error.message : undefined,
    code: errno(error),
    at: frames.map((line) => line.trim()),
    cause: error.cause === undefined ? undefined : describe(error.cause),
  };
}
