import { toldOf } from '#domain/webhook/kinds.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { DeliveryToMake } from '#ports/webhookDeliveries.ts';
import { derivedId } from '#src/identifiers.ts';

/** What one webhook is told of an event; undefined: nobody is told. */
export function deliveryOf(event: RecordedEvent, webhookId: string): DeliveryToMake | undefined {
  const body = bodyOf(event);
  if (body === undefined) return undefined;
  return {
    tenantId: event.metadata.tenant_id,
    id: derivedId(event.id, 'delivery', webhookId),
    webhookId,
    eventId: event.id,
    kind: event.type,
    subject: event.stream,
    body,
  };
}

/** The envelope. spec: Webhooks, event */
function bodyOf(event: RecordedEvent): string | undefined {
  const { id, type, metadata } = event;
  const data = toldOf(event);
  if (data === undefined) return undefined;
  const { occurred_at: timestamp, tenant_id, trace_id } = metadata;
  return stableJson({ id, type, timestamp, tenant_id, trace_id, data });
}

/** JSON with sorted names: some receivers sign what they have parsed and written again. */
const stableJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
