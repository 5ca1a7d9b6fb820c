import { invalid } from '#http/validation/faults.ts';

/** A time that a client gave under a name. @throws ValidationFailed */
export function momentOf(name: string, given: string): Date {
  const moment = new Date(given);
  // `Date` takes the 31st of February for the 3rd of March.
  const day = /^(\d{4}-\d{2}-\d{2})(T.*)?$/.exec(given)?.[1];
  if (day === undefined || !isDay(day) || Number.isNaN(moment.getTime())) {
    throw invalid(name, "must be a time such as '2030-08-26T19:23:57Z' or '2030-08-26'");
  }
  return moment;
}

/** Whether the calendar has a day, as `2030-08-26`. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
