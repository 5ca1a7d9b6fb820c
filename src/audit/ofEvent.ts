import { hash } from 'node:crypto';
import { actOf } from '#src/audit/vocabulary.ts';
import type { AuditEntry } from '#ports/audit.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';

/** The audit entry of an event: a write is audited by what it wrote. */
export function entryOfEvent(event: RecordedEvent): AuditEntry {
  const { type, data, metadata } = event;
  return {
    occurredAt: new Date(metadata.occurred_at),
    tenantId: metadata.tenant_id,
    actor: metadata.actor,
    keyId: metadata.key_id ?? '',
    ...actOf(type),
    entityId: text(data['key_id']) ?? text(data['id']) ?? '',
    outcome: 'succeeded',
    status: 0,
    detail: type,
    address: metadata.client_address ?? '',
    traceId: metadata.trace_id,
    event: { id: event.id, digest: digestOfEvent(event) },
  };
}

/** SHA-256 over all that an event says, so that one which is changed later no longer is what was audited. */
export const digestOfEvent = ({ stream, revision, id, type, data, metadata }: RecordedEvent): string =>
  hash('sha256', JSON.stringify([stream, String(revision), id, type, data, metadata]));

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
