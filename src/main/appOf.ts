import { tokenStream } from '#domain/token/events.ts';
import { createAccessDirectory } from '#infra/postgres/accessDirectory.ts';
import { createIdempotency } from '#infra/vault/idempotency/idempotency.ts';
import { createApp } from '#http/app.ts';
import type { App, AppDependencies } from '#http/app.ts';
import { createDispatch } from '#http/dispatch.ts';
import { createCardWatch } from '#http/request/cardWatch.ts';
import { createRateGate } from '#http/request/rateGate.ts';
import { allRoutes } from '#http/routes/index.ts';
import type { Dispatch } from '#ports/dispatch.ts';
import type { Composition } from '#src/main/compose.ts';
import { createBt } from '#src/reactors/bt.ts';
import type { Reactors } from '#src/reactors/invocation.ts';
import { createReactors } from '#src/reactors/reactors.ts';
import { createRunCode } from '#src/reactors/runCode.ts';

export type ServiceOptions = Pick<AppDependencies, 'metrics' | 'readiness'> & {
  /** In place of those that run code: for tests. */
  reactors?: Reactors | undefined;
};

export type Service = { app: App; reactors: Reactors };

/** The published interface over what one process has, and the reactors that it invokes and that call it. */
export function serviceOf(
  composition: Composition,
  { metrics, readiness, reactors: given }: ServiceOptions,
): Service {
  const { pools, vault, clock, views, logger, config, audit, log } = composition;
  const accessDirectory = createAccessDirectory({ ...composition, feed: views });
  // Code of reactors calls the interface that invokes it.
  let dispatch: Dispatch = () => Promise.reject(new Error('the interface is not made yet'));
  const bt = createBt({ accessDirectory, dispatch: (...call) => dispatch(...call) });
  const { reactorTimeout, proxyTimeout, publicUrl } = config;
  const runCode = createRunCode({ ...composition, bt, accessDirectory });
  const reactors =
    given ?? createReactors({ ...composition, runCode, accessDirectory, loadMilliseconds: reactorTimeout });
  const app = createApp({
    routes: allRoutes({
      ...composition,
      reactors,
      runCode,
      reactorTimeout,
      proxyTimeout,
      publicUrl,
      tenantType: /^prod(uction)?$/i.test(config.environment) ? 'production' : 'test',
    }),
    accessDirectory,
    idempotency: createIdempotency({ pool: pools.api, vault, clock }),
    audit,
    clock,
    views,
    knowsToken: async (tenantId, id) => (await log.readStreamEnd(tokenStream(tenantId, id), 1)).length > 0,
    logger,
    publicUrl,
    readiness,
    metrics,
    hidesMetrics: config.metricsAddress !== undefined,
    transfers: composition.objectTransfers?.(composition),
    rateLimits: createRateGate(composition, config.rateLimits, metrics),
    cardWatch: createCardWatch(metrics, logger),
    trustedProxies: config.trustedProxies,
  });
  dispatch = createDispatch({ app, logger });
  return { app, reactors };
}

/** {@link serviceOf} for those who only serve it. */
export const appOf = (...parameters: Parameters<typeof serviceOf>): App => serviceOf(...parameters).app;
