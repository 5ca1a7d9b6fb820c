import type { WebhookEvent, WebhookRequestEvent } from '#domain/webhook/events.ts';
import { pingKind, webhookKinds } from '#domain/webhook/kinds.ts';
import type { Webhooks } from '#domain/webhook/state.ts';
import type { EventLog, RecordedEvent } from '#ports/eventLog.ts';
import type { TransactionalSubscriber } from '#ports/subscriber.ts';
import type { DeliveryToMake, FanOut, LogTime, WebhookOutbox } from '#ports/webhookDeliveries.ts';
import { webhooksAsOf } from '#src/webhooks/asOf.ts';
import { deliveriesOf } from '#src/webhooks/message.ts';

export type FanOutDependencies<Transaction> = {
  log: Pick<EventLog, 'readStream'>;
  outbox: WebhookOutbox<Transaction>;
};

/**
 * Turns each event into a delivery for every webhook that wants it. Who wants it is read from the log as it was when
 * the event was written, so the same events always come to the same deliveries, and none is missed because a view
 * was late.
 */
export const webhookFanOut = <Transaction>({
  log,
  outbox,
}: FanOutDependencies<Transaction>): TransactionalSubscriber<Transaction> => {
  const webhooksWhen = webhooksAsOf(log);
  return {
    name: 'webhook_fan_out',
    types: [
      ...webhookKinds,
      pingKind,
      'webhook.delivery.retried',
      'webhook.replay.requested',
      'tenant.deleted',
    ],
    from: 'beginning',
    handleWithin: async (transaction, events) => {
      const deliveries: DeliveryToMake[] = [];
      for (const event of events) {
        deliveries.push(...deliveriesOf(event, wanting(await webhooksWhen(event), event)));
      }
      await outbox.add(transaction, { deliveries, ...consequences(events), readTo: readTo(events) });
      for (const { type, metadata } of events) {
        if (type === 'tenant.deleted') await outbox.forgetTenant(transaction, metadata.tenant_id);
      }
    },
  };
};

function wanting(webhooks: Webhooks, { type, data }: RecordedEvent): string[] {
  return [...webhooks.values()].flatMap(({ id, status, events }) =>
    status === 'enabled' && (type === pingKind ? id === data['id'] : events.includes(type)) ? [id] : [],
  );
}

type OfWebhooks = RecordedEvent & (WebhookEvent | WebhookRequestEvent);

/** What follows from events of webhooks themselves. */
function consequences(
  events: readonly RecordedEvent[],
): Pick<FanOut, 'changed' | 'deleted' | 'retries' | 'replays'> {
  const all = events as unknown as readonly OfWebhooks[];
  return {
    changed: all.flatMap(({ type, data }) => (type === 'webhook.updated' ? [data.id] : [])),
    deleted: all.flatMap(({ type, data, metadata }) =>
      type === 'webhook.deleted' ? [{ tenantId: metadata.tenant_id, webhookId: data.id }] : [],
    ),
    retries: all.flatMap(({ type, data, metadata }) =>
      type === 'webhook.delivery.retried'
        ? [{ tenantId: metadata.tenant_id, webhookId: data.id, id: data.delivery_id }]
        : [],
    ),
    replays: all.flatMap((event) => {
      if (event.type !== 'webhook.replay.requested') return [];
      const { id: webhookId, replay_id: id, from, to } = event.data;
      return [{ tenantId: event.metadata.tenant_id, id, webhookId, from, to, lastPosition: event.position }];
    }),
  };
}

/** Events of one moment may come in another order than their times. */
function readTo(events: readonly RecordedEvent[]): LogTime {
  const times = events.map(({ metadata }) => Date.parse(metadata.occurred_at));
  return { occurredAt: new Date(Math.max(...times)), position: events.at(-1)?.position ?? '' };
}
