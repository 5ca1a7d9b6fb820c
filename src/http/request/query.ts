import { parse, unescape } from 'node:querystring';
import type { TObject, TSchema } from 'typebox';
import { addFault } from '#http/validation/faults.ts';
import { textFault } from '#http/validation/text.ts';
import { compileValidator } from '#http/validation/validator.ts';
import type { Faults } from '#src/errors.ts';

export type ReadQuery = (querystring: string, faults: Faults) => Record<string, unknown>;

type Given = string | string[] | undefined;

/**
 * A reader of query strings: parameters become what the schema's properties say, and are checked.
 *
 * - `integer`, `number`, `boolean`: from their text
 * - `array`: from one parameter or several of the name
 * - `object`: from `name.key=value`, `name[key]=value` or `name={"key":"value"}`; of equal keys the first counts
 * - everything else stays text; an absent one takes the schema's `default`, and so do `page`, `size` and `start` without a value
 *
 * @param isStrict whether parameters that the schema does not name are refused; otherwise they are ignored
 */
export function queryReader(schema: TObject, isStrict = false): ReadQuery {
  const validate = compileValidator(schema);
  const properties = Object.entries(schema.properties);
  return (querystring, faults) => {
    const given = split(querystring, faults);
    const query: Record<string, unknown> = {};
    for (const [name, property] of properties) {
      const value = read(name, property, given, faults);
      if (value !== undefined) query[name] = value;
    }
    validate(query, faults);
    if (isStrict) refuseUnknown(schema, given, faults);
    return query;
  };
}

/** Client libraries send these to every list; they only say where it goes on, and how far. */
const places = ['page', 'start', 'size'];
/** Where a list goes on: an empty one is the same as none, while an empty filter would find more than was asked for. */
const mayBeEmpty = [...places, 'after'];

function refuseUnknown(schema: TObject, given: Record<string, Given>, faults: Faults): void {
  const isKnown = (parameter: string): boolean =>
    places.includes(parameter) ||
    Object.entries(schema.properties).some(
      ([name, property]) =>
        parameter === name || (isMap(property) && memberKey(name, parameter) !== undefined),
    );
  for (const parameter of Object.keys(given)) {
    if (parameter !== '' && textFault(parameter) === undefined && !isKnown(parameter)) {
      addFault(faults, parameter, 'is not a parameter that is known here');
    }
  }
}

const isMap = (property: TSchema): boolean => (property as { type?: unknown }).type === 'object';

/** Parameters by name; `+` is a space. */
function split(querystring: string, faults: Faults): Record<string, Given> {
  let malformed = false;
  const decode = (text: string): string => {
    try {
      return decodeURIComponent(text);
    } catch {
      malformed = true;
      return unescape(text);
    }
  };
  const given = parse(querystring, '&', '=', { maxKeys: 0, decodeURIComponent: decode });
  if (malformed) addFault(faults, 'query', 'must be percent-encoded UTF-8');
  for (const [name, value] of Object.entries(given)) {
    const fault =
      textFault(name) ??
      [value ?? '']
        .flat()
        .map(textFault)
        .find((found) => found !== undefined);
    if (fault !== undefined) addFault(faults, textFault(name) === undefined ? name : 'query', fault);
  }
  return given;
}

function read(name: string, property: TSchema, given: Record<string, Given>, faults: Faults): unknown {
  const { type, default: absent } = property as { type?: unknown; default?: unknown };
  if (type === 'object') return collect(name, given, faults);
  const value = given[name];
  if (value === undefined || (value === '' && mayBeEmpty.includes(name))) return absent;
  if (type === 'array') return [value].flat();
  if (Array.isArray(value)) {
    addFault(faults, name, 'must be given once');
    return value[0] === undefined ? undefined : scalar(type, value[0]);
  }
  return scalar(type, value);
}

function scalar(type: unknown, text: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function collect(name: string, given: Record<string, Given>, faults: Faults): unknown {
  const entries = Object.entries(given).flatMap(([parameter, value]): [string, unknown][] => {
    const [first = ''] = [value].flat();
    const key = memberKey(name, parameter);
    if (key !== undefined) return [[key, first]];
    return parameter === name ? membersOf(name, first, faults) : [];
  });
  // Of equal entries the last would win.
  return entries.length === 0 ? undefined : Object.fromEntries(entries.reverse());
}

function memberKey(name: string, parameter: string): string | undefined {
  if (parameter.startsWith(`${name}.`)) return parameter.slice(name.length + 1);
  if (parameter.startsWith(`${name}[`) && parameter.endsWith(']')) {
    return parameter.slice(name.length + 1, -1);
  }
  return undefined;
}

function membersOf(name: string, text: string, faults: Faults): [string, unknown][] {
  const value = parseObject(text);
  if (value === undefined) {
    addFault(faults, name, `must be given as ${name}.<key>=<value>`);
    return [];
  }
  const members = Object.entries(value);
  for (const [key, member] of members) {
    // The escapes of JSON come after those of the query string.
    const fault = textFault(key) ?? (typeof member === 'string' ? textFault(member) : undefined);
    if (fault !== undefined) addFault(faults, name, fault);
  }
  return members;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
