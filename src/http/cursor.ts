import { invalid } from '#http/validation/faults.ts';
import type { LogPlace } from '#queries/log/list.ts';
import type { Place } from '#queries/token/filter.ts';
import { isUuid } from '#src/identifiers.ts';

/** A place in a list as clients carry it: opaque to them. */
export const cursorOf = ({ createdAt, ordinal }: Place): string => encoded([createdAt, ordinal]);

/** @throws ValidationFailed naming `start` when it is none that a list gave */
export function placeOf(cursor: string): Place {
  const [createdAt, ordinal] = parse(cursor);
  const moment = momentIn(createdAt);
  if (moment !== undefined && isNumber(ordinal)) return { createdAt: moment.toISOString(), ordinal };
  throw notOurs();
}

/** {@link cursorOf} for the audit log. */
export const logCursorOf = ({ occurredAt, writerId, sequence }: LogPlace): string =>
  encoded([occurredAt, writerId, sequence]);

/** @throws ValidationFailed naming `start` when it is none that the log gave */
export function logPlaceOf(cursor: string): LogPlace {
  const [time, writerId, sequence] = parse(cursor);
  const occurredAt = momentIn(time);
  if (occurredAt !== undefined && typeof writerId === 'string' && isUuid(writerId) && isNumber(sequence)) {
    return { occurredAt, writerId, sequence };
  }
  throw notOurs();
}

const encoded = (values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

const notOurs = (): Error => invalid('start', 'must be the value of next in an earlier answer');

const isNumber = (value: unknown): value is string => typeof value === 'string' && /^\d{1,18}$/.test(value);

function momentIn(value: unknown): Date | undefined {
  const moment = new Date(typeof value === 'string' ? value : '');
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
