import { deliveryCursorOf } from '#http/cursor.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';
import type { Delivery } from '#ports/webhookDeliveries.ts';
import type { WebhookWithTarget } from '#src/webhooks/content.ts';

/** A webhook as it goes out: never its secret. Source: reference of webhooks. */
export const presentWebhook = ({ record, target }: WebhookWithTarget): Record<string, unknown> =>
  withoutNulls({
    id: record.id,
    tenant_id: record.tenantId,
    status: record.status,
    disabled_reason: record.disabledReason,
    name: record.name,
    url: target.url,
    notify_email: target.notifyEmail,
    events: record.events,
    created_by: record.createdBy,
    created_at: record.createdAt,
    modified_by: record.modifiedBy,
    modified_at: record.modifiedAt,
  });

/** A list that has no more. Source: reference of the second version of lists. */
export const presentWebhooks = (webhooks: readonly WebhookWithTarget[]): object => ({
  pagination: { page_size: webhooks.length },
  data: webhooks.map(presentWebhook),
});

/** @param found one more than are shown, when there is one */
export function presentDeliveries(found: readonly Delivery[], size: number): object {
  const shown = found.slice(0, size);
  const last = found.length > size ? shown.at(-1) : undefined;
  return {
    pagination: {
      page_size: shown.length,
      ...(last === undefined ? {} : { next: deliveryCursorOf(last.ordinal) }),
    },
    data: shown.map(presentDelivery),
  };
}

const presentDelivery = (delivery: Delivery): object =>
  withoutNulls({
    id: delivery.id,
    event_id: delivery.eventId,
    type: delivery.kind,
    status: delivery.status,
    attempts: delivery.attempts,
    outcome: delivery.outcome,
    response_status: delivery.responseStatus,
    duration_ms: delivery.milliseconds,
    created_at: delivery.createdAt.toISOString(),
    last_attempt_at: delivery.lastAttemptAt?.toISOString(),
    next_attempt_at: delivery.nextAttemptAt?.toISOString(),
  });
