import type { AuditEntry } from '#ports/audit.ts';
import type { TenantQuery } from '#ports/readModels.ts';
import { entityTypes } from '#src/audit/vocabulary.ts';

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

/** So many entries, from a place on or behind so many others; none newer than `upTo`. */
export type LogStretch = {
  limit: number;
  offset: number;
  after?: LogPlace | undefined;
  upTo?: LogPlace | undefined;
};

type Bound = { query: TenantQuery; values: unknown[] };

/** No parameters: there is an index of those that were refused. */
const outcomes: Record<AuditEntry['outcome'], string> = {
  succeeded: `entry.outcome = 'succeeded'`,
  refused: `entry.outcome = 'refused'`,
};

const newestFirst = 'entry.occurred_at desc, entry.writer_id desc, entry.sequence desc';

/** The entries of a stretch, newest first. */
export function entriesQuery(filter: LogFilter, { limit, offset, after, upTo }: LogStretch): Bound {
  const parameters = createParameters();
  const conditions = conditionsOf(filter, parameters.add);
  if (after !== undefined) conditions.push(placed('<', after, parameters.add));
  if (upTo !== undefined) conditions.push(placed('<=', upTo, parameters.add));
  const [most, skipped] = [`${parameters.add(limit)}::int8`, `${parameters.add(offset)}::int8`];
  const text = `select entry.* ${source(filter, conditions, `${most} + ${skipped}`, parameters.add)}
    order by ${newestFirst} limit ${most} offset ${skipped}`;
  const name = `logs ${after === undefined ? '' : 'after '}${bounded(upTo)}${nameOf(filter)}`;
  return { query: { name, text }, values: parameters.values };
}

/** How many entries there are, in a column `total`: exact to 10,000, which then stands for that many or more. */
export function countQuery(filter: LogFilter, upTo?: LogPlace): Bound {
  const parameters = createParameters();
  const conditions = conditionsOf(filter, parameters.add);
  if (upTo !== undefined) conditions.push(placed('<=', upTo, parameters.add));
  const text = `select count(*) as total from (
      select ${source(filter, conditions, String(countedTo), parameters.add)} limit ${countedTo}
    ) as matched`;
  return {
    query: { name: `logs counted ${bounded(upTo)}${nameOf(filter)}`, text },
    values: parameters.values,
  };
}

const bounded = (upTo: LogPlace | undefined): string => (upTo === undefined ? '' : 'up to ');

function placed(
  comparison: '<' | '<=',
  { occurredAt, writerId, sequence }: LogPlace,
  parameter: (value: unknown) => string,
): string {
  const place = [occurredAt, writerId, sequence].map(parameter).join(', ');
  return `(entry.occurred_at, entry.writer_id, entry.sequence) ${comparison} (${place})`;
}

/**
 * Where at most so many entries come from. Both orders can only be had from an index, so that it is the one which is
 * used, however few entries the planner expects of a tenant or an entity: a small tenant's would be looked for among
 * those of all others, and an entity's among all of its tenant. Of an equality the order would be nothing.
 */
function source(
  { entityId, entityType }: LogFilter,
  conditions: readonly string[],
  most: string,
  parameter: (value: unknown) => string,
): string {
  const matching = conditions.map((condition) => `and ${condition}`).join(' ');
  if (entityId === undefined) {
    return `from (
      select * from audit.entries as entry where entry.tenant_id = tenant.id ${matching}
      order by ${newestFirst} limit ${most}
    ) as entry`;
  }
  const types = parameter(entityType === undefined ? Object.keys(entityTypes) : [entityType]);
  const thing = `(wanted.type, ${parameter(entityId)}::text)`;
  return `from unnest(${types}::text[]) as wanted (type) cross join lateral (
      select * from audit.entries as entry
      where entry.tenant_id = tenant.id and (entry.entity_type, entry.entity_id) between ${thing} and ${thing} ${matching}
      order by entry.entity_type desc, entry.entity_id desc, ${newestFirst} limit ${most}
    ) as entry`;
}

function conditionsOf(filter: LogFilter, parameter: (value: unknown) => string): string[] {
  const { entityId, entityType, actorId, operation, outcome, from, until } = filter;
  return [
    ...(entityType === undefined || entityId !== undefined
      ? []
      : [`entry.entity_type = ${parameter(entityType)}`]),
    ...(actorId === undefined ? [] : [`entry.actor_id = ${parameter(actorId)}`]),
    ...(operation === undefined ? [] : [`entry.operation = ${parameter(operation)}`]),
    ...(outcome === undefined ? [] : [outcomes[outcome]]),
    ...(from === undefined ? [] : [`entry.occurred_at >= ${parameter(from)}`]),
    ...(until === undefined ? [] : [`entry.occurred_at < ${parameter(until)}`]),
  ];
}

/** Filters of the same members make the same statement. */
const nameOf = ({ outcome, ...filter }: LogFilter): string =>
  [
    ...Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .map(([member]) => member)
      .sort(),
    outcome ?? '',
  ].join(' ');

/** Values for a statement of a tenant, whose id is `$1`. */
function createParameters(): { values: unknown[]; add(value: unknown): string } {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value) + 1}` };
}
