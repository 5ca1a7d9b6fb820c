import { tokenStream } from '#domain/token/events.ts';
import { createAccessDirectory } from '#infra/postgres/accessDirectory.ts';
import { createIdempotency } from '#infra/vault/idempotency/idempotency.ts';
import { createApp } from '#http/app.ts';
import type { App, AppDependencies } from '#http/app.ts';
import { allRoutes } from '#http/routes/index.ts';
import type { Composition } from '#src/main/compose.ts';

/** The published interface over what one process has. */
export function appOf(
  composition: Composition,
  { metrics, readiness }: Pick<AppDependencies, 'metrics' | 'readiness'>,
): App {
  const { pools, vault, clock, views, logger, config, audit, log } = composition;
  return createApp({
    routes: allRoutes(composition),
    accessDirectory: createAccessDirectory({ ...composition, feed: views }),
    idempotency: createIdempotency({ pool: pools.api, vault, clock }),
    audit,
    clock,
    knowsToken: async (tenantId, id) => (await log.readStream(tokenStream(tenantId, id))).length > 0,
    logger,
    publicUrl: config.publicUrl,
    readiness,
    metrics,
  });
}
