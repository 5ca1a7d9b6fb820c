import { invalid } from '#http/validation/faults.ts';
import type { LogPlace } from '#queries/log/filter.ts';
import type { Place } from '#queries/token/filter.ts';
import { isUuid } from '#src/identifiers.ts';

/** A place in a list as clients carry it: opaque to them. */
export const cursorOf = ({ createdAt, ordinal }: Place): string => encoded([createdAt, ordinal]);

/** @throws ValidationFailed naming `start` when it is none that a list gave */
export function placeOf(cursor: string): Place {
  const [createdAt, ordinal, ...more] = parse(cursor);
  if (isMoment(createdAt) && isNumber(ordinal) && more.length === 0) return { createdAt, ordinal };
  throw notOurs();
}

/** {@link cursorOf} for the audit log. */
export const logCursorOf = ({ occurredAt, writerId, sequence }: LogPlace): string =>
  encoded([occurredAt, writerId, sequence]);

/** @throws ValidationFailed naming `start` when it is none that the log gave */
export function logPlaceOf(cursor: string): LogPlace {
  const [occurredAt, writerId, sequence, ...more] = parse(cursor);
  const isWriter = typeof writerId === 'string' && isUuid(writerId);
  if (isMoment(occurredAt) && isWriter && isNumber(sequence) && more.length === 0) {
    return { occurredAt: new Date(occurredAt), writerId, sequence };
  }
  throw notOurs();
}

/** {@link cursorOf} for the deliveries of a webhook. */
export const deliveryCursorOf = (ordinal: string): string => encoded([ordinal]);

/** @throws ValidationFailed naming `start` when it is none that a list of deliveries gave */
export function deliveryPlaceOf(cursor: string): string {
  const [ordinal, ...more] = parse(cursor);
  if (isNumber(ordinal) && more.length === 0) return ordinal;
  throw notOurs();
}

const encoded = (values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

const notOurs = (): Error => invalid('start', 'must be the value of next in an earlier answer');

const isNumber = (value: unknown): value is string =>
  typeof value === 'string' && /^(0|[1-9]\d{0,17})$/.test(value);

/** A time as cursors are given it, in the years that Postgres and JavaScript write alike. */
function isMoment(value: unknown): value is string {
  if (typeof value !== 'string' || !/^(?!0000)\d{4}-/.test(value)) return false;
  const moment = new Date(value);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === value;
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
