import type { ConnectionFormula } from '#domain/connection/formula.ts';
import type { Faults } from '#domain/event.ts';
import { countries } from '#domain/iso/countries.ts';
import { currencies } from '#domain/iso/currencies.ts';

/** What a client says of a connection, besides its formula. */
export type ConnectionInput = {
  method: string;
  fields: readonly FieldEntry[];
  acceptedCountries: readonly string[];
  acceptedCurrencies: readonly string[];
};

export type FieldEntry = { key: string; value: string };

/** Values by the keys of the formula. */
export type FieldValues = Readonly<Record<string, string>>;

/** Codes of a standard, and what one of them is. */
type Standard = { codes: ReadonlySet<string>; meaning: string };

const countryCodes: Standard = { codes: countries, meaning: 'country of ISO 3166-1, such as US' };
const currencyCodes: Standard = { codes: currencies, meaning: 'currency of ISO 4217, such as USD' };

const isEmpty = (value: string): boolean => value.trim() === '';

/** The fields after an update: entries that are left out stay, empty ones go. */
export function mergedFields(current: FieldValues, entries: readonly FieldEntry[]): FieldValues {
  const merged = new Map(Object.entries(current));
  for (const { key, value } of entries) {
    if (isEmpty(value)) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/**
 * What a formula has against a connection, by path. No message repeats what stands in a field.
 * @param current the values that the connection has already
 */
export function connectionFaults(
  formula: ConnectionFormula,
  { method, fields, acceptedCountries, acceptedCurrencies }: ConnectionInput,
  current: FieldValues = {},
): Faults {
  return {
    ...(method === formula.method ? {} : { method: [`must be '${formula.method}', as the formula says`] }),
    ...fieldFaults(formula, fields, current),
    ...codeFaults('accepted_countries', acceptedCountries, countryCodes, formula.supportedCountries),
    ...codeFaults('accepted_currencies', acceptedCurrencies, currencyCodes, formula.supportedCurrencies),
  };
}

function fieldFaults(
  { id, fields }: ConnectionFormula,
  entries: readonly FieldEntry[],
  current: FieldValues,
): Faults {
  const faults: Faults = {};
  const known = new Map(fields.map((field) => [field.key, field]));
  const seen = new Set<string>();
  entries.forEach(({ key, value }, index) => {
    const field = known.get(key);
    if (field === undefined) {
      const keys = [...known.keys()].map((one) => `'${one}'`).join(', ');
      faults[`fields[${index}].key`] = [`must be a field of '${id}': ${keys}`];
    } else if (seen.has(key)) {
      faults[`fields[${index}].key`] = ['must be there once'];
    } else if (field.required && isEmpty(value)) {
      faults[`fields[${index}].value`] = ['must not be empty'];
    }
    seen.add(key);
  });
  const missing = fields.filter(({ key, required }) => required && !seen.has(key) && !(key in current));
  if (missing.length > 0) faults['fields'] = missing.map(({ key }) => `must have an entry '${key}'`);
  return faults;
}

function codeFaults(
  path: string,
  codes: readonly string[],
  standard: Standard,
  supported: readonly string[],
): Faults {
  const faults: Faults = {};
  codes.forEach((code, index) => {
    if (!standard.codes.has(code)) faults[`${path}[${index}]`] = [`must be a ${standard.meaning}`];
    else if (!supported.includes(code)) faults[`${path}[${index}]`] = ['is not supported by the formula'];
  });
  return faults;
}
