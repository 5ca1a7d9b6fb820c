import { invalid } from '#http/validation/faults.ts';

const iso = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * A time that a client gave under a name: of the years 1 to 9999 in UTC, which JavaScript and Postgres write alike;
 * without an offset it is in UTC. @throws ValidationFailed
 */
export function momentOf(name: string, given: string): Date {
  const [, day, time, offset] = iso.exec(given) ?? [];
  // A server must not read a time by where it stands.
  const moment = new Date(time === undefined || offset !== undefined ? given : `${given}Z`);
  // `Date` takes the 31st of February for the 3rd of March.
  if (day === undefined || !isDay(day) || !isWritten(moment)) {
    throw invalid(
      name,
      "must be a time such as '2030-08-26T19:23:57Z' or '2030-08-26', of the years 1 to 9999",
    );
  }
  return moment;
}

/** Whether the calendar has a day, as `2030-08-26`. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

const isWritten = (moment: Date): boolean =>
  !Number.isNaN(moment.getTime()) && /^(?!0000)\d{4}-/.test(moment.toISOString());
