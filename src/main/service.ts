import { flushCompileCache } from 'node:module';
import type { Connection } from '#infra/postgres/connection.ts';
import { migrate } from '#infra/postgres/migrate.ts';
import { requireLogins } from '#infra/postgres/requireLogins.ts';
import { createWaitingJobs } from '#infra/postgres/waitingJobs.ts';
import { createMetrics } from '#http/metrics.ts';
import { serviceOf } from '#src/main/appOf.ts';
import type { ApiProcesses } from '#src/main/apiProcesses.ts';
import { banner } from '#src/main/banner.ts';
import { compileCache } from '#src/main/compileCache.ts';
import { compose } from '#src/main/compose.ts';
import type { Composition } from '#src/main/compose.ts';
import type { Config } from '#src/config.ts';
import { ensureDevelopmentTenant } from '#src/main/developmentTenant.ts';
import { listenForMetrics } from '#src/main/metricsListener.ts';
import { answerApiProcesses, metricsOfProcesses } from '#src/main/serviceMetrics.ts';
import { signRightsOnce } from '#src/main/signRights.ts';
import type { Stack } from '#src/main/stack.ts';
import { UpdaterProcesses } from '#src/main/updaterProcesses.ts';
import { startWorker } from '#src/main/worker.ts';
import { LogUnavailable } from '#ports/eventLog.ts';
import type { Logger } from '#ports/logger.ts';
import type { Reactors } from '#src/reactors/invocation.ts';
import { StartupError } from '#src/startupError.ts';

const sizes = { owner: 6, api: 3, vault: 3, log: 4 };

export type ServiceParts = {
  config: Config;
  logger: Logger;
  stack: Stack;
  /** Undefined where nobody is served. */
  api: ApiProcesses | undefined;
  connection: Connection;
};

/**
 * Starts all that works with the database; the stack stops it.
 * @throws StartupError
 */
export async function startService({ config, logger, stack, api, connection }: ServiceParts): Promise<void> {
  await migrate(connection);
  await requireLogins(connection);
  const composition = await compose(config, connection, logger, { sizes });
  stack.add(() => composition.close());
  await requireAnchors(composition);
  await requireOwnLog(composition);
  await signRightsOnce(composition);
  const worker =
    config.role === 'api'
      ? undefined
      : startWorker(composition, reactorsOf(composition), { updatesElsewhere: true });
  if (worker !== undefined) stack.add(() => worker.stop());
  await worker?.viewsBuilt();
  const wantsDevelopmentTenant = config.role === 'all' && !config.production;
  const development = wantsDevelopmentTenant ? await ensureDevelopmentTenant(composition) : undefined;
  // It is in the stack already, to be stopped at any time; once it serves it is the first to be stopped.
  if (api !== undefined) stack.add(() => api.stop());
  const metrics = metricsOfProcesses(worker);
  answerApiProcesses(metrics, logger);
  await listenForMetrics(config, { metrics, logger, stack });
  const serving = api?.serve(connection);
  // Writing compiled code takes a first start seconds on a busy machine, in which nothing else happens here: whoever is
  // told that the service is ready finds its views at work.
  flushCompileCache();
  const listening = await serving;
  worker?.startTimers();
  if (worker !== undefined) startUpdaters(composition, stack);
  if (listening === undefined) logger.info({}, 'the worker is ready');
  else process.stdout.write(banner(config.publicUrl, listening.hosts, listening.port, development));
}

/** Large files of the account updater are the affair of processes of their own. */
function startUpdaters({ config, connection, logger, pools }: Composition, stack: Stack): void {
  const updaters = new UpdaterProcesses(connection, logger, () => compileCache(config));
  stack.add(() => updaters.stop());
  const jobs = createWaitingJobs(pools.owner);
  void updaters.startWhen(() => jobs.areThere(), config.updaterProcesses);
}

/** What code of reactors calls is served in this process: it needs all of the interface, and no port. */
const reactorsOf = (composition: Composition): Reactors =>
  serviceOf(composition, { readiness: [], metrics: createMetrics() }).reactors;

/** A log that does not answer may be the right one: the guard looks again before anything is written. @throws WrongLog */
async function requireOwnLog({ logGuard, logger }: Composition): Promise<void> {
  try {
    await logGuard.check();
  } catch (error) {
    if (!(error instanceof LogUnavailable)) throw error;
    logger.warn({ err: error }, 'the event log does not answer, and is looked at again');
  }
}

/** @throws StartupError when the audit log could not be anchored, and so nothing be read */
async function requireAnchors({ auditAnchors }: Composition): Promise<void> {
  try {
    await auditAnchors.check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`the heads of the audit log cannot be kept: ${reason}`, { cause: error });
  }
}
