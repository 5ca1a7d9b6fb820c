import { createTestDatabase } from '#test/support/database.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { removeDataDirectory, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { startSink } from '#test/fuzz/support/world.ts';

export type FuzzedService = {
  service: ServiceProcess;
  environment: Record<string, string>;
  sink: string;
  close(): Promise<void>;
};

/** The service as its users run it, on a database of its own; what it sends out comes to a server of ours. */
export async function startFuzzedService(): Promise<FuzzedService> {
  const database = await createTestDatabase();
  const directory = await newPreparedDirectory();
  const sink = await startSink();
  const environment = {
    DATABASE_URL: database.connection.connectionString ?? '',
    HOLDFAST_DATA_DIR: directory,
    HOLDFAST_PROCESSES: '2',
    HOLDFAST_RATE_LIMITS: 'off',
    HOLDFAST_OUTBOUND_ALLOW: new URL(sink.url).host,
    HOLDFAST_STRIPE_URL: sink.url,
    HOLDFAST_ADYEN_URL: sink.url,
    HOLDFAST_REACTOR_TIMEOUT: '2s',
    HOLDFAST_REACTOR_HOSTS: '4',
  };
  const service = await startService(directory, environment);
  return {
    service,
    environment,
    sink: sink.url,
    close: async () => {
      await service.end();
      await sink.close();
      await database.drop();
      await removeDataDirectory(directory);
    },
  };
}
