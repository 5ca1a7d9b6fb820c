import { newDataDirectory, removeDataDirectory, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';

export type Served = { service: ServiceProcess; stop(): Promise<void> };

/** A service with nothing in it yet. `stop` leaves nothing of it behind. */
export async function serve(environment?: Record<string, string>): Promise<Served> {
  const directory = await newDataDirectory();
  const service = await startService(directory, environment);
  return {
    service,
    stop: async () => {
      await service.end();
      await removeDataDirectory(directory);
    },
  };
}
