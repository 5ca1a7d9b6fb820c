import type { DomainEvent } from '#domain/event.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import type { Vault } from '#ports/vault.ts';

/** The payload that a change of a record replaced, or that its end leaves behind. */
export const leftBehind = ({
  data,
}: {
  data: { payload_id: string; previous_payload_id?: string };
}): string => data.previous_payload_id ?? data.payload_id;

/**
 * A subscriber that removes from the vault the payloads that each event makes superfluous.
 * @param forgotten their ids, if there are any; to remove one again is harmless
 */
export const removal = <Event extends DomainEvent>(
  vault: Vault,
  { name, types }: { name: string; types: readonly Event['type'][] },
  forgotten: (event: Event) => string | readonly string[] | undefined,
): Subscriber => ({
  name,
  types,
  from: 'beginning',
  handle: async (events) => {
    const byTenant = Map.groupBy(events, (event) => event.metadata.tenant_id);
    for (const [tenantId, ofTenant] of byTenant) {
      await vault.remove(
        tenantId,
        ofTenant.flatMap((event) => forgotten(event as unknown as RecordedEvent & Event) ?? []),
      );
    }
  },
});
