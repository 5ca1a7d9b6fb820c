import type pg from 'pg';
import { connectToDataDirectory } from '#infra/postgres/embedded/connect.ts';
import { newDataDirectory, removeDataDirectory, startService } from '#test/support/service.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

export type BenchService = {
  url: string;
  privateKey: string;
  managementKey: string;
  tenantId: string;
  /** Of the process that users start. */
  pid: number;
  dataDirectory: string;
  /** Of the embedded Postgres, as its owner. */
  connection: pg.ClientConfig;
  stop(): Promise<void>;
};

/** The service as users start it, without rate limits, on a data directory of its own. */
export async function startBenchService(
  processes: number,
  environment: Record<string, string> = {},
): Promise<BenchService> {
  const dataDirectory = await newDataDirectory();
  const service = await startService(dataDirectory, {
    HOLDFAST_PROCESSES: String(processes),
    HOLDFAST_RATE_LIMITS: 'off',
    ...environment,
  });
  const database = await connectToDataDirectory(dataDirectory, silentLogger);
  return {
    url: service.url,
    privateKey: service.credentials.private,
    managementKey: service.credentials.management,
    tenantId: service.credentials.tenant_id,
    pid: service.child.pid ?? 0,
    dataDirectory,
    connection: database.connection,
    stop: async () => {
      await database.close();
      await service.end();
      await removeDataDirectory(dataDirectory);
    },
  };
}
