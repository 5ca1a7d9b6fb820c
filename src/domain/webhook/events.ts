import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';

/** All webhooks of a tenant lie in one stream: how many there may be is then decided in one place. */
export const webhookStream = (tenantId: string): string => `webhook-${tenantId}.${tenantId}`;

/** What is asked of a webhook once lies by itself: the stream of webhooks stays short. */
export const webhookRequestStream = (tenantId: string, id: string): string =>
  `webhookrequest-${tenantId}.${id}`;

export const WebhookStatus = Type.Union([Type.Literal('enabled'), Type.Literal('disabled')]);
export type WebhookStatus = Static<typeof WebhookStatus>;

const attributes = {
  name: Type.String(),
  /** The public kinds of events that it wants. */
  events: Type.Array(Type.String()),
  /** Where the vault keeps URL and address for notices. Never those themselves: a URL may hold a key. */
  payload_id: Type.String(),
};

export const WebhookCreated = Type.Object({
  id: Type.String(),
  ...attributes,
  /** Where the vault keeps the secret that signs. */
  secret_id: Type.String(),
});
/** All attributes as they are after the update. */
export const WebhookUpdated = Type.Object({
  id: Type.String(),
  ...attributes,
  status: WebhookStatus,
  previous_payload_id: Type.String(),
});
export const WebhookSecretRotated = Type.Object({
  id: Type.String(),
  secret_id: Type.String(),
  previous_secret_id: Type.String(),
  /** ISO 8601; until then the previous secret signs, too. */
  previous_until: Type.String(),
  /** The secret before the previous one, which signs nothing any more. */
  forgotten_secret_id: Type.Optional(Type.String()),
});
/** By the service itself, because nothing could be delivered. */
export const WebhookDisabled = Type.Object({
  id: Type.String(),
  /** `gone`: it answered 410; `failing`: nothing was accepted for as long as a delivery is tried. */
  reason: Type.Union([Type.Literal('gone'), Type.Literal('failing')]),
});
export const WebhookDeleted = Type.Object({
  id: Type.String(),
  /** All that the vault kept of it. */
  payload_ids: Type.Array(Type.String()),
});

/** Asks for a delivery that says nothing but that it arrived. */
export const WebhookPinged = Type.Object({ id: Type.String() });
/** Asks for a delivery again, from its first attempt on. */
export const WebhookDeliveryRetried = Type.Object({ id: Type.String(), delivery_id: Type.String() });
export const WebhookReplayRequested = Type.Object({
  id: Type.String(),
  replay_id: Type.String(),
  /** ISO 8601, UTC; what occurred from here … */
  from: Type.String(),
  /** … to before here. */
  to: Type.String(),
});

export type WebhookEvent =
  | DomainEvent<'webhook.created', Static<typeof WebhookCreated>>
  | DomainEvent<'webhook.updated', Static<typeof WebhookUpdated>>
  | DomainEvent<'webhook.secret.rotated', Static<typeof WebhookSecretRotated>>
  | DomainEvent<'webhook.disabled', Static<typeof WebhookDisabled>>
  | DomainEvent<'webhook.deleted', Static<typeof WebhookDeleted>>;

export type WebhookRequestEvent =
  | DomainEvent<'webhook.pinged', Static<typeof WebhookPinged>>
  | DomainEvent<'webhook.delivery.retried', Static<typeof WebhookDeliveryRetried>>
  | DomainEvent<'webhook.replay.requested', Static<typeof WebhookReplayRequested>>;
