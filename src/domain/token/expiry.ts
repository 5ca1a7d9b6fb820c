const slashed =
  /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))? ?(AM|PM)(?: ?(Z|[+-]\d{2}:\d{2}))?)?$/i;
const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,7})?)?(Z|[+-]\d{2}:\d{2})?)?$/i;

type Parts = { year: number; month: number; day: number; hour: number; minute: number; second: number };

/**
 * Reads an expiration time: `8/26/2030 7:23:57 PM -07:00`, the same without an offset (UTC), `9/27/2030`
 * (midnight UTC), or ISO 8601. Answers ISO 8601 with the offset that was given, or undefined.
 * spec: Token expiration
 */
export function parseExpiry(text: string): string | undefined {
  return fromSlashed(text) ?? fromIso(text);
}

function fromSlashed(text: string): string | undefined {
  const match = slashed.exec(text);
  if (match === null) return undefined;
  const [, month, day, year, hour, minute, second, half, offset] = match;
  const clockHour = Number(hour ?? 12);
  if (clockHour < 1 || clockHour > 12) return undefined;
  const afternoon = half?.toUpperCase() === 'PM';
  return written(
    {
      year: Number(year),
      month: Number(month),
      day: Number(day),
      hour: (clockHour % 12) + (afternoon ? 12 : 0),
      minute: Number(minute ?? 0),
      second: Number(second ?? 0),
    },
    '',
    offset,
  );
}

function fromIso(text: string): string | undefined {
  const match = iso.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, offset] = match;
  return written(
    {
      year: Number(year),
      month: Number(month),
      day: Number(day),
      hour: Number(hour ?? 0),
      minute: Number(minute ?? 0),
      second: Number(second ?? 0),
    },
    fraction ?? '',
    offset,
  );
}

function written(parts: Parts, fraction: string, offset: string | undefined): string | undefined {
  if (parts.month < 1 || parts.month > 12 || parts.day < 1 || parts.day > daysIn(parts.year, parts.month)) {
    return undefined;
  }
  if (parts.hour > 23 || parts.minute > 59 || parts.second > 59) return undefined;
  const zone = offset === undefined || offset.toUpperCase() === 'Z' ? '+00:00' : offset;
  if (Number(zone.slice(1, 3)) > 14 || Number(zone.slice(4, 6)) > 59) return undefined;
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${String(parts.year).padStart(4, '0')}-${two(parts.month)}-${two(parts.day)}`;
  return `${date}T${two(parts.hour)}:${two(parts.minute)}:${two(parts.second)}${fraction}${zone}`;
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
