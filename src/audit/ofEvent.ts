import { hash } from 'node:crypto';
import type { SessionRule } from '#domain/session/events.ts';
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
    detail: lendsReveal(event) ? 'reveal' : type,
    address: metadata.client_address ?? '',
    traceId: metadata.trace_id,
    event: { id: event.id, digest: digestOfEvent(event) },
  };
}

/** Who lends what it is not shown itself has it shown: to the session. */
const lendsReveal = ({ type, data }: RecordedEvent): boolean =>
  type === 'session.authorized' &&
  (data['rules'] as unknown as readonly SessionRule[]).some(({ lends = [] }) => lends.length > 0);

/** SHA-256 over all that an event says, so that one which is changed later no longer is what was audited. */
export const digestOfEvent = ({ stream, revision, id, type, data, metadata }: RecordedEvent): string =>
  hash('sha256', JSON.stringify([stream, String(revision), id, type, data, metadata]));

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
