import type { AuditEntry } from '#ports/audit.ts';
import { messageOf } from '#src/audit/vocabulary.ts';
import type { PageRequest, QueryDependencies } from '#queries/dependencies.ts';
import { countQuery, entriesQuery } from '#queries/log/filter.ts';
import type { LogFilter, LogPlace, LogStretch } from '#queries/log/filter.ts';

export type LogEntry = {
  id: string;
  tenantId: string;
  actorType: string;
  actorId: string;
  keyId: string;
  entityType: string;
  entityId: string;
  operation: string;
  outcome: AuditEntry['outcome'];
  status: number;
  detail: string;
  address: string;
  traceId: string;
  message: string;
  occurredAt: Date;
};

export type LogPage = PageRequest & {
  items: LogEntry[];
  /** Exact to 10,000, which then stands for that many or more. */
  totalItems: number;
  /** Where to go on; undefined at the end. */
  next: LogPlace | undefined;
};

type Row = {
  writer_id: string;
  sequence: string;
  occurred_at: Date;
  tenant_id: string;
  actor_type: string;
  actor_id: string;
  key_id: string;
  operation: string;
  entity_type: string;
  entity_id: string;
  outcome: AuditEntry['outcome'];
  status: number;
  detail: string;
  address: string;
  trace_id: string;
  event_id: string | null;
};

/**
 * A page of the tenant's audit log, newest first: by number, or, where a place is given, from there on.
 * Source: reference of logs.
 */
export async function listLogs(
  { readModels }: Pick<QueryDependencies, 'readModels'>,
  tenantId: string,
  filter: LogFilter,
  { page, size, after, upTo }: PageRequest & Pick<LogStretch, 'after' | 'upTo'>,
): Promise<LogPage> {
  const stretch = { limit: size + 1, offset: after === undefined ? (page - 1) * size : 0, after, upTo };
  const [entries, count] = [entriesQuery(filter, stretch), countQuery(filter, upTo)];
  const [found, counted] = await Promise.all([
    readModels.rows<Row>(tenantId, entries.query, entries.values),
    readModels.rows<{ total: string }>(tenantId, count.query, count.values),
  ]);
  const rows = found.slice(0, size);
  const last = found.length > size ? rows.at(-1) : undefined;
  return {
    items: rows.map(entryOf),
    totalItems: Number(counted[0]?.total ?? 0),
    page,
    size,
    next: last && { occurredAt: last.occurred_at, writerId: last.writer_id, sequence: last.sequence },
  };
}

function entryOf(row: Row): LogEntry {
  const { entity_type: entityType, operation, outcome, detail } = row;
  return {
    id: `${row.writer_id}.${row.sequence}`,
    tenantId: row.tenant_id,
    actorType: row.actor_type,
    actorId: row.actor_id,
    keyId: row.key_id,
    entityType,
    entityId: row.entity_id,
    operation,
    outcome,
    status: row.status,
    detail,
    address: row.address,
    traceId: row.trace_id,
    message: messageOf({ entityType, operation, outcome, detail, isEvent: row.event_id !== null }),
    occurredAt: row.occurred_at,
  };
}
