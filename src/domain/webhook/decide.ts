import type { Decision } from '#domain/event.ts';
import type { WebhookEvent, WebhookStatus } from '#domain/webhook/events.ts';
import type { WebhookAttributes, Webhooks } from '#domain/webhook/state.ts';

/** Of a tenant. Source: reference of webhooks. */
export const mostWebhooks = 5;

export function createWebhook(
  webhooks: Webhooks,
  { id, secretId, ...attributes }: WebhookAttributes & { id: string; secretId: string },
): Decision<WebhookEvent> {
  if (webhooks.size >= mostWebhooks) {
    return { refused: 'unprocessable', detail: `A tenant has at most ${mostWebhooks} webhooks.` };
  }
  return [{ type: 'webhook.created', data: { id, ...recorded(attributes), secret_id: secretId } }];
}

/** Replaces all attributes; what a client does not say, the caller fills in. */
export function updateWebhook(
  webhooks: Webhooks,
  { id, status, ...attributes }: WebhookAttributes & { id: string; status: WebhookStatus },
): Decision<WebhookEvent> {
  const webhook = webhooks.get(id);
  if (webhook === undefined) return { refused: 'not_found' };
  const data = { id, ...recorded(attributes), status, previous_payload_id: webhook.payloadId };
  return [{ type: 'webhook.updated', data }];
}

/** The secret becomes the previous one, which signs, too, until a time (ISO 8601). */
export function rotateSecret(
  webhooks: Webhooks,
  { id, secretId, previousUntil }: { id: string; secretId: string; previousUntil: string },
): Decision<WebhookEvent> {
  const webhook = webhooks.get(id);
  if (webhook === undefined) return { refused: 'not_found' };
  const data = {
    id,
    secret_id: secretId,
    previous_secret_id: webhook.secretId,
    previous_until: previousUntil,
    ...(webhook.previousSecret === undefined ? {} : { forgotten_secret_id: webhook.previousSecret.id }),
  };
  return [{ type: 'webhook.secret.rotated', data }];
}

/** Nothing when it is disabled already, or gone. */
export function disableWebhook(
  webhooks: Webhooks,
  { id, reason }: { id: string; reason: 'gone' | 'failing' },
): Decision<WebhookEvent> {
  if (webhooks.get(id)?.status !== 'enabled') return [];
  return [{ type: 'webhook.disabled', data: { id, reason } }];
}

export function deleteWebhook(webhooks: Webhooks, id: string): Decision<WebhookEvent> {
  const webhook = webhooks.get(id);
  if (webhook === undefined) return { refused: 'not_found' };
  const { payloadId, secretId, previousSecret } = webhook;
  const payloads = [payloadId, secretId, ...(previousSecret === undefined ? [] : [previousSecret.id])];
  return [{ type: 'webhook.deleted', data: { id, payload_ids: payloads } }];
}

const recorded = ({ name, events, payloadId }: WebhookAttributes) => ({
  name,
  events: [...events],
  payload_id: payloadId,
});
