import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { removeDataDirectory, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { startVaultService } from '#test/support/vaultService.ts';

/** Where a client finds the service, and what it may show there. */
export type Service = Pick<ServiceProcess, 'url' | 'port' | 'credentials'>;

export type Served<Kind = Service> = { service: Kind; stop(): Promise<void> };

/** A service and a tenant with nothing in it yet. */
export async function serve(environment?: Record<string, string>): Promise<Served> {
  const { url, keys, tenantId, close } = await startVaultService({ environment });
  const credentials = { tenant_id: tenantId, ...keys };
  return { service: { url, port: Number(new URL(url).port), credentials }, stop: close };
}

/** A service that runs as a user starts it, for those who use its command line beside it. */
export async function serveProcess(): Promise<Served<ServiceProcess>> {
  const directory = await newPreparedDirectory();
  const service = await startService(directory);
  return {
    service,
    stop: async () => {
      await service.end();
      await removeDataDirectory(directory);
    },
  };
}
