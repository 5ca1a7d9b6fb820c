import type { ColumnType, ColumnValue } from '#projections/projection.ts';

/** A value that cannot be written to a column of its type. The message does not repeat it. */
export class UnwritableValue extends Error {
  override readonly name = 'UnwritableValue';
}

/** The text that Postgres reads a value of this type from; null for SQL null. */
export function textForm(type: ColumnType, value: ColumnValue): string | null {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'jsonb':
      return JSON.stringify(value);
    case 'text[]':
      return arrayForm(value);
    case 'timestamptz':
      return value instanceof Date ? timeForm(value) : scalarForm(type, value);
    case 'bytea':
      if (!(value instanceof Uint8Array)) throw new UnwritableValue('a bytea column takes bytes');
      return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
    case 'uuid':
    case 'text':
    case 'int4':
    case 'int8':
    case 'bool':
      return scalarForm(type, value);
  }
}

function scalarForm(type: ColumnType, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol') {
    throw new UnwritableValue(`a ${type} column takes no ${typeof value}`);
  }
  return String(value);
}

function timeForm(value: Date): string {
  if (Number.isNaN(value.getTime())) throw new UnwritableValue('a timestamptz column takes valid times');
  return value.toISOString();
}

function arrayForm(value: unknown): string {
  if (!Array.isArray(value)) throw new UnwritableValue('a text[] column takes an array');
  let text = '';
  for (const element of value as unknown[]) {
    if (typeof element !== 'string') throw new UnwritableValue('a text[] column takes strings');
    // A rebuild spends a tenth of its time here: most elements hold nothing to escape.
    const escaped = /["\\]/.test(element) ? element.replace(/["\\]/g, '\\$&') : element;
    text += text === '' ? `"${escaped}"` : `,"${escaped}"`;
  }
  return `{${text}}`;
}

const copyEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/** A value as a field of a line of `copy … from stdin`, text format. */
export function copyField(type: ColumnType, value: ColumnValue): string {
  const text = textForm(type, value);
  if (text === null) return '\\N';
  if (!/[\\\t\n\r]/.test(text)) return text;
  return text.replace(/[\\\t\n\r]/g, (character) => copyEscapes[character] ?? character);
}
