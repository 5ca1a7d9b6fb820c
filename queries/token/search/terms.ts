import { ValidationFailed } from '#src/errors.ts';

/** One `field:value` of a query; a range has two ends, of which either may be open. */
export type Term = { field: string; at: number; valueAt: number; value: TermValue };
export type TermValue =
  { kind: 'text'; text: string } | { kind: 'range'; from: RangeEnd | undefined; to: RangeEnd | undefined };
export type RangeEnd = { text: string; at: number; inclusive: boolean };

/** @param at the character of the query, from 1 */
export const queryFault = (at: number, message: string): ValidationFailed =>
  new ValidationFailed({ query: [`${message} (at character ${at})`] });

/** Operators of Lucene that are not read here, where they touch a value. */
const operators = [
  { pattern: /&&|\|\|/, is: 'joins no terms here: AND and OR do' },
  { pattern: /^[!-]/, is: 'takes nothing away here' },
  { pattern: /~\d*(?:\.\d+)?$/, is: 'finds nothing that is similar' },
  { pattern: /\^\d+(?:\.\d+)?$/, is: 'gives a term no weight here' },
];

/** @throws ValidationFailed: as a part of the value it would find nothing, or something else */
function refuseOperator(text: string, place: number): void {
  for (const { pattern, is } of operators) {
    const found = pattern.exec(text);
    if (found === null) continue;
    throw queryFault(place + found.index, `'${found[0]}' ${is}: a value that holds it must stand in quotes`);
  }
}

/** What stands in quotes: a quote or backslash inside has a backslash before it. */
export const unquoted = (quoted: string): string => quoted.slice(1, -1).replace(/\\(.)/gs, '$1');

/**
 * Reads a query from its beginning on: `field:value` terms and what joins them. A value with spaces stands in quotes, and
 * so may the name of metadata (`metadata."user id":7`), a range in brackets (`[a TO b]`, `{` and `}` leave the end out,
 * `*` is open).
 */
export class TermReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** As people count. */
  get place(): number {
    return this.#at + 1;
  }

  skipSpaces(): void {
    this.#take(/\s*/y);
  }

  /** Whether it comes next, and then takes it. @throws ValidationFailed when nothing follows */
  takeOperator(operator: 'AND' | 'OR'): boolean {
    const pattern = operator === 'AND' ? /AND(?![^\s(])/y : /OR(?![^\s(])/y;
    if (this.#take(pattern) === '') return false;
    this.skipSpaces();
    if (this.atEnd) throw queryFault(this.place, `a term must follow ${operator}`);
    return true;
  }

  takeOpening(): boolean {
    return this.#take(/\(/y) !== '';
  }

  takeClosing(): boolean {
    return this.#take(/\)/y) !== '';
  }

  /** The name and its colon. */
  field(): string {
    const at = this.place;
    const field = this.#take(/metadata\."(?:[^"\\]|\\.)+"|[^\s:"()[\]{}]+/sy);
    if (field === '') throw queryFault(at, 'must be a term such as data:value');
    if (this.#take(/:/y) === '') {
      // Without a name it may be the secret that is looked for: answers of 400 are written down in many places.
      throw queryFault(at, 'must be a term such as data:value, joined to others by AND or OR');
    }
    return field;
  }

  value(): TermValue {
    const next = this.#text.charAt(this.#at);
    if (next === '"') return { kind: 'text', text: this.#quoted() };
    if (next === '[' || next === '{') return this.#range();
    return { kind: 'text', text: this.#bare() };
  }

  /** Up to a space, or the parenthesis that closes a group around it. */
  #bare(): string {
    const { place } = this;
    let open = 0;
    let text = '';
    for (;;) {
      text += this.#take(/[^\s"()]*/y);
      const next = this.#text.charAt(this.#at);
      if (next !== '(' && (next !== ')' || open === 0)) break;
      open += next === '(' ? 1 : -1;
      text += this.#take(/[()]/y);
    }
    if (text === '') throw queryFault(place, 'a value must be given');
    refuseOperator(text, place);
    const wildcard = text.search(/[*?]/);
    if (wildcard === -1) return text;
    throw queryFault(
      place + wildcard,
      'there are no wildcards, since values are compared whole: a value that holds * or ? must stand in quotes',
    );
  }

  #quoted(): string {
    const place = this.place;
    const quoted = this.#take(/"(?:[^"\\]|\\.)*"/sy);
    if (quoted === '') throw queryFault(place, 'a quote is opened and not closed');
    return unquoted(quoted);
  }

  #range(): TermValue {
    const place = this.place;
    const opening = this.#take(/[[{]/y);
    this.skipSpaces();
    const from = this.#end(opening === '[');
    this.skipSpaces();
    if (this.#take(/TO(?=\s)/y) === '') {
      throw queryFault(this.place, 'TO must stand between the ends of a range');
    }
    this.skipSpaces();
    const toAt = this.place;
    const text = this.#take(/[^\s\]}]+/y);
    if (text === '') throw queryFault(toAt, 'a range must have two ends, or * for an open one');
    this.skipSpaces();
    const closing = this.#take(/[\]}]/y);
    if (closing === '') throw queryFault(place, 'a range is opened and not closed');
    return {
      kind: 'range',
      from,
      to: text === '*' ? undefined : { text, at: toAt, inclusive: closing === ']' },
    };
  }

  #end(inclusive: boolean): RangeEnd | undefined {
    const at = this.place;
    const text = this.#take(/[^\s\]}]+/y);
    if (text === '') throw queryFault(at, 'a range must have two ends, or * for an open one');
    return text === '*' ? undefined : { text, at, inclusive };
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += taken.length;
    return taken;
  }
}
