import { logCursorOf } from '#http/cursor.ts';
import { presentPage } from '#http/presenters/page.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { LogEntry, LogPage } from '#queries/log/list.ts';

const present = (text: string): string | undefined => (text === '' ? undefined : text);

/** An entry of the audit log as it goes out. Source: reference of logs. */
export const presentLog = (entry: LogEntry): object =>
  withoutNulls({
    id: entry.id,
    tenant_id: entry.tenantId,
    actor_id: present(entry.actorId),
    actor_type: entry.actorType,
    key_id: present(entry.keyId),
    entity_type: entry.entityType,
    // Client libraries expect one, whatever it is.
    entity_id: entry.entityId,
    operation: entry.operation,
    outcome: entry.outcome,
    status: entry.status === 0 ? undefined : entry.status,
    detail: present(entry.detail),
    message: entry.message,
    client_address: present(entry.address),
    trace_id: present(entry.traceId),
    created_at: entry.occurredAt.toISOString(),
  });

/** `after` is the older name of `next`: libraries look for one or the other. */
export function presentLogs(page: LogPage): object {
  const { pagination, data } = presentPage(page, presentLog);
  const next = page.next === undefined ? undefined : logCursorOf(page.next);
  return { pagination: { ...pagination, ...(next === undefined ? {} : { after: next, next }) }, data };
}

/** An event of a history as it goes out: what happened, without references into the vault. */
export const presentEvent = ({ id, type, revision, data, metadata }: RecordedEvent): object =>
  withoutNulls({
    id,
    type,
    revision: Number(revision),
    actor_id: metadata.actor.id,
    actor_type: metadata.actor.type,
    key_id: metadata.key_id,
    client_address: metadata.client_address,
    trace_id: metadata.trace_id,
    created_at: metadata.occurred_at,
    data: Object.fromEntries(Object.entries(data).filter(([name]) => !name.endsWith('payload_id'))),
  });
