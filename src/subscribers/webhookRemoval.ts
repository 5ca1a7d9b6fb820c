import type { WebhookEvent } from '#domain/webhook/events.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import type { Vault } from '#ports/vault.ts';
import { removal } from '#subscribers/removal.ts';

const ending = ['webhook.updated', 'webhook.secret.rotated', 'webhook.deleted'] as const;

type Ending = Extract<WebhookEvent, { type: (typeof ending)[number] }>;

/** Removes from the vault the URLs and secrets that no webhook has any more. */
export const webhookRemoval = (vault: Vault): Subscriber =>
  removal<Ending>(vault, { name: 'webhook_removal', types: ending }, forgotten);

function forgotten({ type, data }: Ending): string | readonly string[] | undefined {
  if (type === 'webhook.updated') return data.previous_payload_id;
  return type === 'webhook.deleted' ? data.payload_ids : data.forgotten_secret_id;
}
