import { toldOf } from '#domain/webhook/kinds.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { DeliveryToMake } from '#ports/webhookDeliveries.ts';
import { derivedId } from '#src/identifiers.ts';
import { stableJson } from '#src/outgoing/stableJson.ts';

/** What webhooks are told of an event, the same to each; none when nobody is told. */
export function deliveriesOf(event: RecordedEvent, webhookIds: readonly string[]): DeliveryToMake[] {
  if (webhookIds.length === 0) return [];
  const body = bodyOf(event);
  if (body === undefined) return [];
  const message = {
    tenantId: event.metadata.tenant_id,
    eventId: event.id,
    kind: event.type,
    subject: event.stream,
    body,
  };
  return webhookIds.map((webhookId) => ({
    ...message,
    webhookId,
    id: derivedId(event.id, 'delivery', webhookId),
  }));
}

/** The envelope. spec: Webhooks, event */
function bodyOf(event: RecordedEvent): string | undefined {
  const { id, type, metadata } = event;
  const data = toldOf(event);
  if (data === undefined) return undefined;
  const { occurred_at: timestamp, tenant_id, trace_id } = metadata;
  return stableJson({ id, type, timestamp, tenant_id, trace_id, data });
}
