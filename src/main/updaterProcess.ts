import { constants, setPriority } from 'node:os';
import type { Connection } from '#infra/postgres/connection.ts';
import type { JobRunner } from '#infra/jobs/runner.ts';
import { readConfig } from '#src/config.ts';
import { compose } from '#src/main/compose.ts';
import type { Composition } from '#src/main/compose.ts';
import { createLogger } from '#src/main/logger.ts';
import type { ToUpdaterProcess } from '#src/main/messages.ts';
import { createUpdater } from '#src/main/updater.ts';

type Working = { composition: Composition; updater: JobRunner };

const config = readConfig(process.env);
const logger = createLogger(config, 'updater');
const sizes = { owner: 2, api: 3, vault: 4, log: 3 };
/** Nobody waits for an answer here, and a page of rows may take its time, in milliseconds. */
const patience = 60_000;
// Requests, views and webhooks come first where processors are scarce.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
let working: Promise<Working> | undefined;

async function work(connection: Connection): Promise<Working> {
  const composition = await compose(config, connection, logger, { sizes, patience });
  const updater = createUpdater(composition);
  updater.start();
  return { composition, updater };
}

async function stop(): Promise<void> {
  const running = await working?.catch(() => undefined);
  await running?.updater.stop();
  await running?.composition.close();
  process.disconnect();
}

process.on('message', (message: ToUpdaterProcess) => {
  if (message.type === 'work') {
    working = work(message.connection);
    working.catch((error: unknown) => {
      logger.error({ err: error }, 'a process of the account updater could not start');
      process.exit(1);
    });
  }
  if (message.type === 'stop') void stop();
});

// It has nothing to do without the process that owns the database.
process.on('disconnect', () => {
  process.exit();
});
// The main process ends this one when its time has come, also on Ctrl-C, which the terminal sends to both.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
