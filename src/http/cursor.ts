import { invalid } from '#http/validation/faults.ts';
import type { Place } from '#queries/token/filter.ts';

/** A place in a list as clients carry it: opaque to them. */
export const cursorOf = ({ createdAt, ordinal }: Place): string =>
  Buffer.from(JSON.stringify([createdAt, ordinal])).toString('base64url');

/** @throws ValidationFailed naming `start` when it is none that a list gave */
export function placeOf(cursor: string): Place {
  const [createdAt, ordinal] = parse(cursor);
  if (typeof createdAt === 'string' && typeof ordinal === 'string') {
    const moment = new Date(createdAt);
    if (!Number.isNaN(moment.getTime()) && /^\d{1,18}$/.test(ordinal)) {
      return { createdAt: moment.toISOString(), ordinal };
    }
  }
  throw invalid('start', 'must be the value of next in an earlier answer');
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
