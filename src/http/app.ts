import Koa from 'koa';
import type { HttpMiddleware, RequestState } from '#http/context.ts';
import type { EndpointDependencies } from '#http/endpoint.ts';
import type { Exposition, RequestMetrics } from '#http/metrics.ts';
import { crossOrigin } from '#http/middleware/crossOrigin.ts';
import { objects } from '#http/middleware/objects.ts';
import { observe } from '#http/middleware/observe.ts';
import { problems } from '#http/middleware/problems.ts';
import { trace } from '#http/middleware/trace.ts';
import type { RateGate } from '#http/request/rateGate.ts';
import { createRouting, requireReadablePath, unmatched } from '#http/router.ts';
import type { Route } from '#http/route.ts';
import { docs } from '#http/routes/docs.ts';
import { systemRoutes } from '#http/routes/system.ts';
import type { ObjectTransfers } from '#ports/objectTransfers.ts';
import type { ReadinessCheck } from '#http/routes/system.ts';
import type { Network } from '#src/addresses.ts';

export type AppDependencies = EndpointDependencies & {
  routes: readonly Route[];
  /** Where clients reach the service: `http://localhost:3000`. */
  publicUrl: string;
  readiness: readonly ReadinessCheck[];
  metrics: RequestMetrics & Exposition;
  /** `/metrics` is answered elsewhere, and 404 here. */
  hidesMetrics?: boolean;
  /** Requests to the object storage; undefined: others answer them. */
  transfers?: ObjectTransfers | undefined;
  /** Whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly Network[];
};

export type App = Koa<RequestState>;

/** The service's HTTP side: the given routes, and those of the system. */
export function createApp(dependencies: AppDependencies): App {
  const { routes, publicUrl, readiness, metrics, logger, rateLimits, trustedProxies, transfers } =
    dependencies;
  const shown = dependencies.hidesMetrics === true ? undefined : metrics;
  const system = systemRoutes({ routes, publicUrl, readiness, metrics: shown });
  const routing = createRouting([...routes, ...system], dependencies);
  const app: App = new Koa<RequestState>();
  // Errors in requests are answered below; what comes here is a client that went away under an answer.
  app.on('error', (error: unknown) => {
    logger.debug({ error: error instanceof Error ? error.name : typeof error }, 'an answer was not taken');
  });
  app
    .use(trace(trustedProxies))
    .use(observe(logger, metrics))
    .use(guardHeaders)
    .use(crossOrigin)
    .use(problems(logger))
    .use(routing.presentProblems)
    .use(limited(rateLimits))
    .use(requireReadablePath)
    .use(objects(transfers))
    .use(routing.dispatch)
    .use(docs(publicUrl, rateLimits))
    .use(unmatched(routing));
  return app;
}

/** Every request counts, whatever it asks for. spec: Limits */
const limited =
  (rateLimits: RateGate): HttpMiddleware =>
  async (context, next) => {
    await rateLimits.pass(context, 'global');
    await next();
  };

/** Answers hold secrets: nothing between here and the client may keep them, or guess what they are. */
const guardHeaders: HttpMiddleware = (context, next) => {
  context.set('Cache-Control', 'no-store');
  context.set('X-Content-Type-Options', 'nosniff');
  return next();
};
