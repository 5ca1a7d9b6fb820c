import { authorOf, unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { WebhookEvent, WebhookStatus } from '#domain/webhook/events.ts';

export type WebhookAttributes = { name: string; events: readonly string[]; payloadId: string };

export type Webhook = WebhookAttributes & {
  id: string;
  tenantId: string;
  status: WebhookStatus;
  /** Why the service disabled it; undefined: it did not. */
  disabledReason: 'gone' | 'failing' | undefined;
  secretId: string;
  /** Signs, too, for a while after a rotation. */
  previousSecret: { id: string; until: string } | undefined;
  createdBy: string | undefined;
  createdAt: string;
  modifiedBy: string | undefined;
  modifiedAt: string | undefined;
};

/** The webhooks of one tenant that there are, by id, oldest first. */
export type Webhooks = ReadonlyMap<string, Webhook>;

/** Folds one event into the webhooks of a tenant. */
export function evolveWebhooks(webhooks: Webhooks, event: WebhookEvent): Webhooks {
  if (event.type === 'webhook.created') return new Map(webhooks).set(event.data.id, created(event));
  const webhook = webhooks.get(event.data.id);
  if (webhook === undefined) return webhooks;
  if (event.type === 'webhook.deleted') {
    return new Map([...webhooks].filter(([id]) => id !== webhook.id));
  }
  return new Map(webhooks).set(webhook.id, changed(webhook, event));
}

function created(event: Extract<WebhookEvent, { type: 'webhook.created' }>): Webhook {
  const { id, name, events, payload_id, secret_id } = event.data;
  return {
    id,
    tenantId: event.metadata.tenant_id,
    status: 'enabled',
    disabledReason: undefined,
    name,
    events,
    payloadId: payload_id,
    secretId: secret_id,
    previousSecret: undefined,
    createdBy: authorOf(event),
    createdAt: event.metadata.occurred_at,
    modifiedBy: undefined,
    modifiedAt: undefined,
  };
}

type Change = Exclude<WebhookEvent, { type: 'webhook.created' | 'webhook.deleted' }>;

function changed(webhook: Webhook, event: Change): Webhook {
  const modified = { modifiedBy: authorOf(event), modifiedAt: event.metadata.occurred_at };
  switch (event.type) {
    case 'webhook.updated': {
      const { name, events, payload_id, status } = event.data;
      const disabledReason = status === 'enabled' ? undefined : webhook.disabledReason;
      return { ...webhook, ...modified, name, events, status, disabledReason, payloadId: payload_id };
    }
    case 'webhook.secret.rotated': {
      const { secret_id, previous_secret_id, previous_until } = event.data;
      const previousSecret = { id: previous_secret_id, until: previous_until };
      return { ...webhook, ...modified, secretId: secret_id, previousSecret };
    }
    case 'webhook.disabled':
      return { ...webhook, ...modified, status: 'disabled', disabledReason: event.data.reason };
    default:
      return unreachable(event);
  }
}

export const webhooksFold: Fold<Webhooks, WebhookEvent> = {
  initial: new Map(),
  evolve: evolveWebhooks,
};
