import type { AuditEntry } from '#ports/audit.ts';
import { entityTypes, messageOf } from '#src/audit/vocabulary.ts';
import type { PageRequest, QueryDependencies } from '#queries/dependencies.ts';

/** Matches of a filter are counted this far. */
const countedTo = 10_000;

/** Which entries are wanted. Absent members do not filter; all that are there must hold. */
export type LogFilter = {
  entityType?: string | undefined;
  entityId?: string | undefined;
  actorId?: string | undefined;
  operation?: string | undefined;
  outcome?: AuditEntry['outcome'] | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
};

/** Where a stretch of the log ended. */
export type LogPlace = { occurredAt: Date; writerId: string; sequence: string };

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

/** An index begins with the type: it is also used when only the id is given, since all types are known. */
const anyType = Object.keys(entityTypes)
  .map((type) => `'${type}'`)
  .join(', ');

const conditions: readonly { member: keyof LogFilter; sql: (parameter: string) => string }[] = [
  { member: 'entityType', sql: (parameter) => `entry.entity_type = ${parameter}` },
  {
    member: 'entityId',
    sql: (parameter) => `entry.entity_id = ${parameter} and entry.entity_type in (${anyType})`,
  },
  { member: 'actorId', sql: (parameter) => `entry.actor_id = ${parameter}` },
  { member: 'operation', sql: (parameter) => `entry.operation = ${parameter}` },
  { member: 'outcome', sql: (parameter) => `entry.outcome = ${parameter}` },
  { member: 'from', sql: (parameter) => `entry.occurred_at >= ${parameter}` },
  { member: 'until', sql: (parameter) => `entry.occurred_at < ${parameter}` },
];

/**
 * A page of the tenant's audit log, newest first: by number, or, where a place is given, from there on.
 * Source: reference of logs.
 */
export async function listLogs(
  { readModels }: Pick<QueryDependencies, 'readModels'>,
  tenantId: string,
  filter: LogFilter,
  { page, size, after }: PageRequest & { after?: LogPlace | undefined },
): Promise<LogPage> {
  const wanted = conditions.filter(({ member }) => filter[member] !== undefined);
  const values = wanted.map(({ member }) => filter[member]);
  const where = ['entry.tenant_id = tenant.id', ...wanted.map(({ sql }, index) => sql(`$${index + 2}`))].join(
    ' and ',
  );
  const name = wanted.map(({ member }) => member).join(' ');
  const next = values.length + 2;
  const place = after && [after.occurredAt, after.writerId, after.sequence];
  const behind = place
    ? `and (entry.occurred_at, entry.writer_id, entry.sequence) < ($${next + 2}, $${next + 3}, $${next + 4})`
    : '';
  const [found, counted] = await Promise.all([
    readModels.rows<Row>(
      tenantId,
      {
        name: `logs ${place ? 'after ' : ''}${name}`,
        text: `select entry.* from audit.entries as entry where ${where} ${behind}
          order by entry.occurred_at desc, entry.writer_id desc, entry.sequence desc
          limit $${next} offset $${next + 1}`,
      },
      [...values, size + 1, place ? 0 : (page - 1) * size, ...(place ?? [])],
    ),
    readModels.rows<{ total: string }>(
      tenantId,
      {
        name: `logs counted ${name}`,
        text: `select count(*) as total
          from (select from audit.entries as entry where ${where} limit ${countedTo}) as matched`,
      },
      values,
    ),
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
