import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import type { BinTable } from '#ports/binTable.ts';
import type { JsonObject } from '#ports/json.ts';
import { StartupError } from '#src/startupError.ts';

const shipped = fileURLToPath(new URL('testBins.csv', import.meta.url));
const validBin = /^\d{6,11}$/;

type Line = Partial<
  Record<
    | 'bin'
    | 'card_brand'
    | 'type'
    | 'card_segment_type'
    | 'prepaid'
    | 'bank_name'
    | 'bank_phone'
    | 'bank_url'
    | 'bank_clean_name'
    | 'country_alpha2'
    | 'country_numeric'
    | 'country_name'
    | 'product_code'
    | 'product_name',
    string
  >
>;

/**
 * Reads a table of BINs: a CSV file with a heading, a row for each BIN of 6 to 11 digits. Columns other than `bin`
 * may be missing or empty.
 * @param path without one, the table of test cards that comes with the service
 * @throws StartupError that names the file and the row
 */
export async function readBinTable(path: string = shipped): Promise<BinTable> {
  const rows = new Map<string, JsonObject>();
  const lines = await readLines(path);
  lines.forEach((line, index) => {
    const { bin = '' } = line;
    if (!validBin.test(bin)) {
      throw new StartupError(`${path}, row ${index + 2}: bin is '${bin}' and must be 6 to 11 digits`);
    }
    rows.set(bin, detailsOf(line));
  });
  const lengths = [...new Set([...rows.keys()].map((bin) => bin.length))].sort((a, b) => b - a);
  return {
    find: (cardNumber) => {
      const length = lengths.find((each) => rows.has(cardNumber.slice(0, each)));
      return length === undefined ? undefined : rows.get(cardNumber.slice(0, length));
    },
  };
}

async function readLines(path: string): Promise<Line[]> {
  try {
    const text = await readFile(path, 'utf8');
    return parse(text, { columns: true, trim: true, skip_empty_lines: true, bom: true }) as Line[];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`the table of BINs ${path} cannot be read: ${reason}`, { cause: error });
  }
}

function detailsOf(line: Line): JsonObject {
  return withoutEmpty({
    card_brand: line.card_brand,
    type: line.type,
    card_segment_type: line.card_segment_type,
    prepaid: line.prepaid === undefined || line.prepaid === '' ? undefined : line.prepaid === 'true',
    bank: withoutEmpty({
      name: line.bank_name,
      phone: line.bank_phone,
      url: line.bank_url,
      clean_name: line.bank_clean_name,
    }),
    country: withoutEmpty({
      alpha2: line.country_alpha2,
      numeric: line.country_numeric,
      name: line.country_name,
    }),
    product: withoutEmpty({ code: line.product_code, name: line.product_name }),
  });
}

function withoutEmpty(details: Record<string, string | boolean | JsonObject | undefined>): JsonObject {
  const kept = Object.entries(details).filter(
    ([, value]) =>
      value !== undefined && value !== '' && !(typeof value === 'object' && Object.keys(value).length === 0),
  );
  return Object.fromEntries(kept) as JsonObject;
}
