/** How an invocation may end, as its caller sees it. A number: the status of a problem of another kind. */
export type Ending =
  'returned' | 'threw' | 'timed_out' | 'out_of_memory' | 'too_large' | 'crashed' | 'invalid' | number;

export type HostileProgram = {
  name: string;
  code: string;
  /** Any of these is right. */
  ends: readonly Ending[];
  /** Where it returns, what it must have found. */
  raw?: unknown;
  args?: unknown;
};

/** Where memory goes, it depends on the machine whether the limit of it or that of time comes first. */
export const bounded: readonly Ending[] = ['timed_out', 'out_of_memory', 'crashed'];

/** The body of an exported asynchronous function. */
export const bodyOf = (body: string): string => `module.exports = async function (req) {\n${body}\n};`;

type Table = Readonly<Record<string, string>>;

/** Programs that all end alike, by their names; the texts are bodies. */
export function programs(ends: readonly Ending[], table: Table): HostileProgram[] {
  return Object.entries(table).map(([name, body]) => ({ name, code: bodyOf(body), ends }));
}

/** As {@link programs}, with texts that are whole modules. */
export function modules(ends: readonly Ending[], table: Table): HostileProgram[] {
  return Object.entries(table).map(([name, code]) => ({ name, code, ends }));
}
