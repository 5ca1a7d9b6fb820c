import { readConfig } from '#src/config.ts';
import type { Config } from '#src/config.ts';
import { compose } from '#src/main/compose.ts';
import type { Composition } from '#src/main/compose.ts';
import { borrowInstallation } from '#src/main/borrowedDatabase.ts';
import type { Database } from '#src/main/database.ts';
import { createLogger } from '#src/main/logger.ts';
import { startupSentence } from '#src/main/startupSentence.ts';
import type { Logger } from '#ports/logger.ts';
import { OperatorError, print } from '#src/cli/print.ts';

const sizes = { owner: 4, api: 2, vault: 2, log: 4 };
/** Nobody waits for an answer here, and a page of a busy log may take its time, in milliseconds. */
const patience = 60_000;

/**
 * Runs a command on the same ground as the service, which may be running meanwhile, and which alone makes that ground
 * and brings it up to date. What the operator can put
 * right is one sentence on standard error and exit code 1.
 */
export function withComposition(run: (composition: Composition) => Promise<void>): Promise<void> {
  return orSentence(async () => {
    const config = readConfig(process.env);
    const logger = commandLogger(config);
    const database = await borrowInstallation(config, logger);
    try {
      await composed(config, database, logger, run);
    } finally {
      await database.close();
    }
  });
}

/** Runs with everything that stands on a database. */
export async function composed(
  config: Config,
  { connection }: Database,
  logger: Logger,
  run: (composition: Composition) => Promise<void>,
): Promise<void> {
  const composition = await compose(config, connection, logger, { sizes, patience });
  try {
    await run(composition);
  } finally {
    await composition.close();
  }
}

/** Standard output belongs to the answer. */
export const commandLogger = ({ logLevel }: Config): Logger =>
  createLogger({ logLevel: logLevel === 'debug' ? 'debug' : 'silent' }, 'cli');

/** Runs a command; what the operator can put right is one sentence. */
export async function orSentence(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.exitCode = 1;
    print.progressEnd();
    const sentence = error instanceof OperatorError ? error.message : startupSentence(error);
    print.error(
      `holdfast: ${sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}`,
    );
  }
}
