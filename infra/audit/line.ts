import type { AuditEntry } from '#ports/audit.ts';

/**
 * The columns of an entry as they stand in its line, which is what the chain covers. A name is a column of
 * `audit.entries`; `text` writes its value as the line has it, `read` makes the value of the line's text.
 */
const columns: readonly { name: string; text: string; read: (field: string) => string }[] = [
  { name: 'sequence', text: 'entry.sequence', read: (field) => `${field}::int8` },
  {
    name: 'occurred_at',
    // In microseconds, as Postgres keeps them.
    text: '(extract(epoch from entry.occurred_at) * 1000000)::int8',
    read: (field) => `to_timestamp(${field}::float8 / 1000000)`,
  },
  {
    name: 'tenant_id',
    text: `coalesce(entry.tenant_id::text, '')`,
    read: (field) => `nullif(${field}, '')::uuid`,
  },
  ...['actor_type', 'actor_id', 'key_id', 'operation', 'entity_type', 'entity_id', 'outcome'].map(plain),
  { name: 'status', text: 'entry.status', read: (field) => `${field}::int4` },
  ...['detail', 'address', 'trace_id'].map(plain),
  {
    name: 'event_id',
    text: `coalesce(entry.event_id::text, '')`,
    read: (field) => `nullif(${field}, '')::uuid`,
  },
  plain('event_digest'),
];

function plain(name: string) {
  return { name, text: `entry.${name}`, read: (field: string) => field };
}

export const columnNames: string = columns.map(({ name }) => name).join(', ');

/** SQL that writes the line of `entry` as {@link lineOf} does. */
export const lineInSql = `concat_ws(E'\\t', ${columns.map(({ text }) => text).join(', ')})`;

/** SQL that reads the columns of a line that was split into the array `fields`. */
export const columnsOfLine: string = columns
  .map(({ read }, index) => read(`fields[${index + 1}]`))
  .join(', ');

/** How many fields a line has: a tab in one of them would make it one more. */
export const fieldsInLine = columns.length;

/** An entry as its chain covers it: one line, fields apart by tabs. */
export const lineOf = (sequence: number, body: string): string => `${sequence}\t${body}`;

/** The line of an entry that has no number yet. What the service makes itself (ids, words) needs no look. */
export function bodyOf(entry: AuditEntry): string {
  const { actor, event } = entry;
  return (
    `${entry.occurredAt.getTime()}000\t${entry.tenantId ?? ''}\t${actor.type}\t${actor.id}\t${entry.keyId}\t` +
    `${entry.operation}\t${entry.entityType}\t${visible(entry.entityId)}\t${entry.outcome}\t${entry.status}\t` +
    `${visible(entry.detail)}\t${visible(entry.address)}\t${entry.traceId}\t${event?.id ?? ''}\t${event?.digest ?? ''}`
  );
}

const plainText = /^[ -~]*$/;
// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f]/g;

/** Tabs and line ends hold lines together, and Postgres takes neither NUL nor half a surrogate. */
const visible = (text: string): string =>
  plainText.test(text) ? text : text.toWellFormed().replace(control, ' ');
