import { readConfig, unknownSettings } from '#src/config.ts';
import type { Config } from '#src/config.ts';
import { ApiProcesses } from '#src/main/apiProcesses.ts';
import { compileCache } from '#src/main/compileCache.ts';
import { openDatabase } from '#src/main/database.ts';
import { keepDebuggerClosed } from '#src/main/keepDebuggerClosed.ts';
import { createLogger } from '#src/main/logger.ts';
import { Stack } from '#src/main/stack.ts';
import type { Logger } from '#ports/logger.ts';

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
    // What it started with is taken away from a start that is told to stop.
    if (stack.isStopping) return;
    const { startupSentence } = await import('#src/main/startupSentence.ts');
    const sentence = startupSentence(error);
    const text = sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.stderr.write(`holdfast: ${text}\n`);
    process.exitCode = 1;
    await stack.stop();
  }
}

/** What takes time goes side by side: the code of the processes that serve, the database, and the code of this process. */
async function run(config: Config, logger: Logger, stack: Stack): Promise<void> {
  const api =
    config.role === 'worker'
      ? undefined
      : new ApiProcesses(config.processes, logger, () => compileCache(config));
  if (api !== undefined) stack.add(() => api.stop());
  const loading = import('#src/main/service.ts');
  const database = await openDatabase(config, logger);
  stack.add(() => database.close());
  const { startService } = await loading;
  await startService({ config, logger, stack, api, connection: database.connection });
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
