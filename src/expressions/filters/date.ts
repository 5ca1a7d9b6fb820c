import { ExpressionError } from '../error.ts';
import type { Json } from '../json.ts';
import { limits } from '../limits.ts';
import { textArgument } from './arguments.ts';
import type { Filter } from './filter.ts';

/**
 * `date: format`, in UTC and English so that it says the same on every machine. Not liquidjs' filter: that
 * one pads to any width, reads the host's time zone and clock, and gives back what it cannot read as it is,
 * which in a mask would be plaintext.
 */

const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/;
const directive = /%([-_0^]?)(.)/gsu;
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const minute = 60_000;

type Part = {
  readonly of: (date: Date) => string | number;
  readonly width?: number;
  readonly fill?: ' ' | '0';
};

const twelveHours = (date: Date) => date.getUTCHours() % 12 || 12;
const dayOfYear = (date: Date) =>
  (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) -
    Date.UTC(date.getUTCFullYear(), 0)) /
    (24 * 60 * minute) +
  1;
const monthName = (date: Date) => months[date.getUTCMonth()] ?? '';
const dayName = (date: Date) => days[date.getUTCDay()] ?? '';

const parts = new Map<string, Part>([
  ['a', { of: (date) => dayName(date).slice(0, 3) }],
  ['A', { of: dayName }],
  ['b', { of: (date) => monthName(date).slice(0, 3) }],
  ['h', { of: (date) => monthName(date).slice(0, 3) }],
  ['B', { of: monthName }],
  ['C', { of: (date) => Math.floor(date.getUTCFullYear() / 100), width: 2 }],
  ['d', { of: (date) => date.getUTCDate(), width: 2 }],
  ['e', { of: (date) => date.getUTCDate(), width: 2, fill: ' ' }],
  ['F', { of: (date) => date.toISOString().slice(0, 10) }],
  ['H', { of: (date) => date.getUTCHours(), width: 2 }],
  ['I', { of: twelveHours, width: 2 }],
  ['j', { of: dayOfYear, width: 3 }],
  ['k', { of: (date) => date.getUTCHours(), width: 2, fill: ' ' }],
  ['l', { of: twelveHours, width: 2, fill: ' ' }],
  ['L', { of: (date) => date.getUTCMilliseconds(), width: 3 }],
  ['m', { of: (date) => date.getUTCMonth() + 1, width: 2 }],
  ['M', { of: (date) => date.getUTCMinutes(), width: 2 }],
  ['p', { of: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM') }],
  ['P', { of: (date) => (date.getUTCHours() < 12 ? 'am' : 'pm') }],
  ['s', { of: (date) => Math.floor(date.getTime() / 1000) }],
  ['S', { of: (date) => date.getUTCSeconds(), width: 2 }],
  ['T', { of: (date) => date.toISOString().slice(11, 19) }],
  ['u', { of: (date) => date.getUTCDay() || 7 }],
  ['w', { of: (date) => date.getUTCDay() }],
  ['y', { of: (date) => date.getUTCFullYear() % 100, width: 2 }],
  ['Y', { of: (date) => date.getUTCFullYear(), width: 4 }],
  ['z', { of: () => '+0000' }],
  ['Z', { of: () => 'UTC' }],
  ['%', { of: () => '%' }],
]);

export const date: Filter = {
  args: [1, 1],
  bind(args) {
    const format = textArgument(args, 0);
    if (format.length > limits.dateFormatLength) throw new ExpressionError('the format is too long');
    for (const [whole, , name = ''] of format.matchAll(directive)) {
      if (!parts.has(name)) throw new ExpressionError(`there is no "${whole}" in date formats`);
    }
    return (value) => {
      if (value === null) return null;
      const instant = read(value);
      return format.replace(directive, (_, flag: string, name: string) => write(instant, flag, name));
    };
  },
};

function write(instant: Date, flag: string, name: string): string {
  const part = parts.get(name);
  if (part === undefined) return '';
  const text = String(part.of(instant));
  if (flag === '^') return text.toUpperCase();
  if (flag === '-' || part.width === undefined) return text;
  const fill = flag === '_' ? ' ' : flag === '0' ? '0' : (part.fill ?? '0');
  return text.padStart(part.width, fill);
}

/** Seconds since 1970, as a number or as digits, or an ISO 8601 text; UTC where no offset is given. */
function read(value: Json): Date {
  const instant =
    typeof value === 'string' ? readText(value) : typeof value === 'number' ? value * 1000 : NaN;
  const read = new Date(instant);
  const year = read.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) throw new ExpressionError('the value is not a date');
  return read;
}

function readText(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  const found = iso.exec(text);
  if (found === null) return Number.NaN;
  const [, year, month, day, hour = '00', minutes = '00', seconds = '00', fraction = '', offset] = found;
  const wall = `${String(year)}-${String(month)}-${String(day)}T${hour}:${minutes}:${seconds}`;
  const utc = Date.parse(`${wall}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // Date.parse lets 30 February pass as 2 March.
  const exists = !Number.isNaN(utc) && new Date(utc).toISOString().startsWith(wall);
  return exists ? utc - offsetOf(offset) : Number.NaN;
}

function offsetOf(offset = 'Z'): number {
  if (offset === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith('-') ? -1 : 1) * minutes * minute;
}
