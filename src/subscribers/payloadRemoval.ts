import type { TokenEvent } from '#domain/token/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import type { Vault } from '#ports/vault.ts';

/** Removes from the vault what no token refers to any more. */
export const payloadRemoval = (vault: Vault): Subscriber => ({
  name: 'payload_removal',
  types: ['token.updated', 'token.deleted', 'token.expired'],
  from: 'beginning',
  handle: async (events) => {
    const byTenant = Map.groupBy(events, (event) => event.metadata.tenant_id);
    for (const [tenantId, ofTenant] of byTenant) {
      await vault.remove(
        tenantId,
        ofTenant.map((event) => forgotten(event as unknown as RecordedEvent & TokenEvent)),
      );
    }
  },
});

function forgotten(event: TokenEvent): string {
  return event.type === 'token.updated' ? event.data.previous_payload_id : event.data.payload_id;
}
