import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { migrate } from '#infra/postgres/migrate.ts';
import { createWaitingJobs } from '#infra/postgres/waitingJobs.ts';
import { createMetrics } from '#http/metrics.ts';
import { readConfig, unknownSettings } from '#src/config.ts';
import type { Config } from '#src/config.ts';
import { serviceOf } from '#src/main/appOf.ts';
import { ApiProcesses } from '#src/main/apiProcesses.ts';
import { banner } from '#src/main/banner.ts';
import { compose } from '#src/main/compose.ts';
import type { Composition } from '#src/main/compose.ts';
import { openDatabase } from '#src/main/database.ts';
import { ensureDevelopmentTenant } from '#src/main/developmentTenant.ts';
import { keepDebuggerClosed } from '#src/main/keepDebuggerClosed.ts';
import { createLogger } from '#src/main/logger.ts';
import { serveMetrics } from '#src/main/serviceMetrics.ts';
import { startupSentence } from '#src/main/startupSentence.ts';
import { UpdaterProcesses } from '#src/main/updaterProcesses.ts';
import { startWorker } from '#src/main/worker.ts';
import type { Logger } from '#ports/logger.ts';
import type { Reactors } from '#src/reactors/invocation.ts';
import { StartupError } from '#src/startupError.ts';

const sizes = { owner: 6, api: 3, vault: 3, log: 4 };

/** Things to stop, in the opposite order of how they were started. */
class Stack {
  readonly #parts: (() => Promise<void>)[] = [];
  #stopped: Promise<void> | undefined;

  add(stop: () => Promise<void>): void {
    this.#parts.push(stop);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) await part();
  }
}

/**
 * Runs the service until a signal ends it. This process owns the database and does the work behind requests;
 * requests are served by API processes that it forks. Sets the exit code: 0 after a signal, 1 when the service
 * cannot start, with one sentence on standard error.
 */
export async function start(): Promise<void> {
  const stack = new Stack();
  try {
    const config = readConfig(process.env);
    const logger = createLogger(config, 'holdfast');
    for (const name of unknownSettings(process.env)) logger.warn({ name }, 'there is no such setting');
    endOnSignal(stack, logger);
    keepDebuggerClosed(logger);
    await run(config, logger, stack);
  } catch (error) {
    const sentence = startupSentence(error);
    const text = sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.stderr.write(`holdfast: ${text}\n`);
    process.exitCode = 1;
    await stack.stop();
  }
}

async function run(config: Config, logger: Logger, stack: Stack): Promise<void> {
  // Their code loads while the database starts.
  const api =
    config.role === 'worker' ? undefined : new ApiProcesses(config.processes, logger, compiledIn(config));
  const stopApi = (): Promise<void> => api?.stop() ?? Promise.resolve();
  // Until it serves it can be stopped at any time; afterwards it is the first to be stopped.
  stack.add(stopApi);
  const database = await openDatabase(config, logger);
  stack.add(() => database.close());
  await migrate(database.connection);
  const composition = await compose(config, database.connection, logger, { sizes });
  stack.add(() => composition.close());
  await requireAnchors(composition);
  const worker =
    config.role === 'api'
      ? undefined
      : startWorker(composition, reactorsOf(composition), { updatesElsewhere: true });
  if (worker !== undefined) stack.add(() => worker.stop());
  await worker?.viewsBuilt();
  const wantsDevelopmentTenant = config.role === 'all' && !config.production;
  const development = wantsDevelopmentTenant ? await ensureDevelopmentTenant(composition) : undefined;
  stack.add(stopApi);
  serveMetrics(worker, logger);
  const listening = await api?.serve(database.connection);
  worker?.startTimers();
  if (worker !== undefined) startUpdaters(composition, stack);
  if (listening === undefined) logger.info({}, 'the worker is ready');
  else process.stdout.write(banner(config.publicUrl, listening.hosts, listening.port, development));
  flushCompileCache();
}

/** Where code lies that was compiled before: processes start sooner by it. Node's own variable goes first. */
const compiledIn = ({ dataDirectory }: Config): string =>
  process.env['NODE_COMPILE_CACHE'] ?? join(dataDirectory, 'compiled');

/** Large files of the account updater are the affair of processes of their own. */
function startUpdaters({ config, connection, logger, pools }: Composition, stack: Stack): void {
  const updaters = new UpdaterProcesses(connection, logger, compiledIn(config));
  stack.add(() => updaters.stop());
  const jobs = createWaitingJobs(pools.owner);
  void updaters.startWhen(() => jobs.areThere(), config.updaterProcesses);
}

/** What code of reactors calls is served in this process: it needs all of the interface, and no port. */
const reactorsOf = (composition: Composition): Reactors =>
  serviceOf(composition, { readiness: [], metrics: createMetrics() }).reactors;

/** @throws StartupError when the audit log could not be anchored, and so nothing be read */
async function requireAnchors({ auditAnchors }: Composition): Promise<void> {
  try {
    await auditAnchors.check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`the heads of the audit log cannot be kept: ${reason}`, { cause: error });
  }
}

function endOnSignal(stack: Stack, logger: Logger): void {
  const end = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, 'stopping');
    const stopped = stack.stop().catch((error: unknown) => {
      logger.error({ err: error }, 'the service did not stop cleanly');
      process.exitCode = 1;
    });
    // Nothing that is forgotten keeps a service alive that has stopped.
    void stopped.then(() => process.exit());
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
