import { NotStarted } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';

/** What a service said that was to be refused. @throws when it started, or failed otherwise */
export const refusalOf = async (start: Promise<ServiceProcess>): Promise<NotStarted> => {
  const outcome = await start.then(
    async (service) => {
      await service.end();
      return undefined;
    },
    (error: unknown) => error,
  );
  if (!(outcome instanceof NotStarted)) throw new Error('the service started', { cause: outcome });
  return outcome;
};
