import type { JobEvent } from '#domain/accountUpdater/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import type { Vault } from '#ports/vault.ts';
import { objectKeys } from '#src/accountUpdater/ids.ts';

export type AccountUpdaterRemovalDependencies = {
  vault: Pick<Vault, 'remove'>;
  objects: Pick<ObjectStorage, 'remove' | 'removeAll'>;
};

/** Removes what jobs needed on their way: answers of networks, request files, parts of results. */
export const accountUpdaterRemoval = ({ vault, objects }: AccountUpdaterRemovalDependencies): Subscriber => ({
  name: 'account_updater_removal',
  types: [
    'account-updater.job.chunk.completed',
    'account-updater.job.completed',
    'account-updater.job.failed',
    'account-updater.job.expired',
  ],
  from: 'beginning',
  handle: async (events) => {
    for (const event of events as unknown as readonly (RecordedEvent & JobEvent)[]) {
      const { tenant_id: tenantId } = event.metadata;
      switch (event.type) {
        case 'account-updater.job.chunk.completed':
          await vault.remove(
            tenantId,
            event.data.answers_payload_id === undefined ? [] : [event.data.answers_payload_id],
          );
          break;
        case 'account-updater.job.completed':
          await objects.remove(objectKeys.request(tenantId, event.data.id));
          await objects.removeAll(objectKeys.parts(tenantId, event.data.id));
          break;
        default:
          await objects.removeAll(objectKeys.ofJob(tenantId, event.data.id));
      }
    }
  },
});
