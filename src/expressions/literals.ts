import type { Cursor } from './cursor.ts';

const plain = /[^'"\\]+/y;
const hexadecimal = /[0-9a-fA-F]{4}/y;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapes = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** A text in single or double quotes with backslash escapes, or undefined when no quote is next. */
export function takeString(cursor: Cursor): string | undefined {
  const start = cursor.position;
  const quote = cursor.take("'") ? "'" : cursor.take('"') ? '"' : undefined;
  if (quote === undefined) return undefined;
  let value = '';
  while (!cursor.take(quote)) {
    if (cursor.atEnd) cursor.fail('This text is not closed', start);
    value += cursor.match(plain) ?? takeSpecial(cursor);
  }
  return value;
}

function takeSpecial(cursor: Cursor): string {
  const escaped = cursor.take('\\');
  const character = cursor.text.charAt(cursor.position);
  cursor.position += 1;
  if (!escaped) return character;
  if (character !== 'u') return escapes.get(character) ?? character;
  const digits = cursor.match(hexadecimal) ?? cursor.fail('Expected four hexadecimal digits');
  return String.fromCharCode(Number.parseInt(digits, 16));
}

export function takeNumber(cursor: Cursor): number | undefined {
  const start = cursor.position;
  const text = cursor.match(number);
  if (text === undefined) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : cursor.fail('This number is too large', start);
}
