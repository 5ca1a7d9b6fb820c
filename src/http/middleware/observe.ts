import type { HttpMiddleware } from '#http/context.ts';
import type { RequestMetrics } from '#http/metrics.ts';
import type { Logger } from '#ports/logger.ts';

/**
 * One log line and one observation a request. The line names the route's pattern, never the path or the
 * query: both may hold what a client should not have put there.
 */
export function observe(logger: Logger, metrics: RequestMetrics): HttpMiddleware {
  return async (context, next) => {
    const start = performance.now();
    await next();
    const milliseconds = performance.now() - start;
    const { route = 'unmatched', traceId, caller } = context.state;
    metrics.observe(context.method, route, context.status, milliseconds / 1_000);
    logger.debug(
      {
        method: context.method,
        route,
        status: context.status,
        ms: milliseconds,
        trace_id: traceId,
        tenant_id: caller?.tenantId,
        application_id: caller?.applicationId,
      },
      'request',
    );
  };
}
