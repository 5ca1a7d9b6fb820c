import type { WebhookEvent } from '#domain/webhook/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import type { Vault } from '#ports/vault.ts';

const ending = ['webhook.updated', 'webhook.secret.rotated', 'webhook.deleted'] as const;

type Ending = Extract<WebhookEvent, { type: (typeof ending)[number] }>;

/** Removes from the vault the URLs and secrets that no webhook has any more. */
export const webhookRemoval = (vault: Vault): Subscriber => ({
  name: 'webhook_removal',
  types: ending,
  from: 'beginning',
  handle: async (events) => {
    const byTenant = Map.groupBy(events, (event) => event.metadata.tenant_id);
    for (const [tenantId, ofTenant] of byTenant) {
      await vault.remove(
        tenantId,
        ofTenant.flatMap((event) => forgotten(event as unknown as RecordedEvent & Ending)),
      );
    }
  },
});

function forgotten({ type, data }: Ending): readonly string[] {
  if (type === 'webhook.updated') return [data.previous_payload_id];
  if (type === 'webhook.deleted') return data.payload_ids;
  return data.forgotten_secret_id === undefined ? [] : [data.forgotten_secret_id];
}
