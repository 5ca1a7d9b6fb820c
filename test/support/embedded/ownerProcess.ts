/**
 * A process that owns a data directory, as `holdfast start` does: it writes one line of JSON when it is up
 * or refused, takes no notice of SIGINT, and stops at SIGTERM. It does not outlive the test that started it,
 * which holds the other end of its standard input.
 */
import { startEmbeddedPostgres } from '#infra/postgres/embedded/start.ts';
import { DataDirectoryInUse } from '#infra/postgres/embedded/dataDirectoryInUse.ts';
import { StartupError } from '#src/startupError.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

const [dataDirectory = '', purpose] = process.argv.slice(2);

process.stdin.resume().on('end', () => process.exit(1));

try {
  const postgres = await startEmbeddedPostgres({
    dataDirectory,
    logger: silentLogger,
    purpose: purpose === 'command' ? 'command' : 'service',
  });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => {
    process.stdin.destroy();
    void postgres.stop();
  });
  say({ connection: postgres.connection, postmaster: postgres.pid });
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stdin.destroy();
  say({
    refused: error.name,
    message: error.message,
    owner: error instanceof DataDirectoryInUse ? error.pid : undefined,
  });
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
