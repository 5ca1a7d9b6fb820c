import Type from 'typebox';
import { WebhookStatus } from '#domain/webhook/events.ts';
import { webhookKinds } from '#domain/webhook/kinds.ts';
import { closed } from '#http/schemas/closed.ts';
import { emptyable } from '#http/schemas/emptyable.ts';
import { cursorQuery } from '#http/schemas/pagination.ts';

const id = Type.String({ format: 'uuid' });
const time = Type.String({ format: 'date-time' });
const attributes = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  url: Type.String({
    maxLength: 2_048,
    description: 'Where events are posted: https, and on the public internet.',
    examples: ['https://example.com/webhooks'],
  }),
  events: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: webhookKinds.length,
    description: 'Of `GET /webhooks/event-types`.',
    examples: [['token.created', 'token.deleted']],
  }),
  notify_email: Type.Optional(
    emptyable(Type.String({ minLength: 3, maxLength: 320, description: 'A record: no mail is sent.' })),
  ),
};

const shownOnly = ['secret', 'disabled_reason'];

/** Source: reference of webhooks. */
export const CreateWebhook = closed(
  {
    ...attributes,
    status: Type.Optional(
      emptyable(Type.String({ enum: ['enabled'], description: 'Every webhook begins so.' })),
    ),
  },
  shownOnly,
);
export const UpdateWebhook = closed(
  { ...attributes, status: Type.Optional(emptyable(WebhookStatus)) },
  shownOnly,
);

const shown = {
  id,
  tenant_id: id,
  status: WebhookStatus,
  disabled_reason: Type.Optional(
    Type.Union([Type.Literal('gone'), Type.Literal('failing')], {
      description: 'Why the service disabled it: it answered 410, or accepted nothing for 2.5 hours.',
    }),
  ),
  name: Type.String(),
  url: Type.String(),
  notify_email: Type.Optional(Type.String()),
  events: Type.Array(Type.String()),
  created_by: Type.Optional(id),
  created_at: time,
  modified_by: Type.Optional(id),
  modified_at: Type.Optional(time),
};

const secret = Type.String({
  description: 'What deliveries are signed with; shown this once.',
  examples: ['whsec_…'],
});

export const Webhook = Type.Object(shown, { $id: 'Webhook' });
export const CreatedWebhook = Type.Object({ ...shown, secret }, { $id: 'CreatedWebhook' });

export const RotateSecret = closed({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 7 * 86_400,
      default: 86_400,
      description: 'For so long, deliveries are signed with the secret before, too.',
    }),
  ),
});
export const RotatedSecret = Type.Object({ secret, previous_secret_expires_at: time });

export const ReplayWebhook = closed({
  from: Type.String({ maxLength: 40, description: 'ISO 8601; events of this moment and later.' }),
  to: Type.Optional(
    Type.String({ maxLength: 40, description: 'ISO 8601; before this moment. Default: now.' }),
  ),
});
export const WebhookRequest = Type.Object({ id });

const statuses = ['pending', 'delivered', 'failed'] as const;
const DeliveryStatus = Type.Union(statuses.map((status) => Type.Literal(status)));

export const WebhookDelivery = Type.Object(
  {
    id,
    event_id: Type.String({ format: 'uuid', description: 'The `id` of the message, on every attempt.' }),
    type: Type.String({ examples: ['token.created'] }),
    status: DeliveryStatus,
    attempts: Type.Integer({ description: 'Since it was made, or asked for again.' }),
    outcome: Type.Optional(
      Type.String({
        description: 'Of the last attempt: the HTTP status, or what was in the way.',
        examples: ['204', 'timed_out_total', 'unreachable_connection'],
      }),
    ),
    response_status: Type.Optional(Type.Integer()),
    duration_ms: Type.Optional(Type.Integer({ description: 'Of the last attempt.' })),
    created_at: time,
    last_attempt_at: Type.Optional(time),
    next_attempt_at: Type.Optional(time),
  },
  { $id: 'WebhookDelivery' },
);

export const deliveriesQuery = { ...cursorQuery, status: Type.Optional(DeliveryStatus) };
