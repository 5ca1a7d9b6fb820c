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

/**
 * @param text as it is written; what has a backslash before it is no operator
 * @throws ValidationFailed: as a part of the value it would find nothing, or something else
 */
function refuseOperator(text: string, place: number): void {
  const plain = text.replace(/\\./gs, 'aa');
  for (const { pattern, is } of operators) {
    const found = pattern.exec(plain);
    if (found === null) continue;
    throw queryFault(place + found.index, `'${found[0]}' ${is}: a value that holds it must stand in quotes`);
  }
  const wildcard = plain.search(/[*?]/);
  if (wildcard === -1) return;
  throw queryFault(
    place + wildcard,
    'there are no wildcards, since values are compared whole: a value that holds * or ? must stand in quotes',
  );
}

/**
 * What is written, in quotes or not, without the backslashes before its characters; four hexadecimal digits behind
 * `\\u` are a character. Source: Lucene, QueryParserBase.discardEscapeChar.
 */
function unescaped(text: string, place: number): string {
  return text.replace(
    /\\(?:u([0-9a-f]{4})|(.))/gis,
    (escape, code: string | undefined, character: string, at: number) => {
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      if (character !== 'u') return character;
      throw queryFault(place + at, `${escape} must be followed by four hexadecimal digits`);
    },
  );
}

/**
 * Reads a query from its beginning on: `field:value` terms and what joins them. A value with spaces stands in quotes, and
 * so may the name of metadata (`metadata."user id":7`); a backslash makes text of any character, in quotes, too. A range stands in brackets (`[a TO b]`; `{` and `}` leave the end out,
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
    const quoted = this.#take(/metadata\."(?:[^"\\]|\\.)+"/sy);
    const written =
      quoted === '' ? this.#take(/(?:[^\s:"()[\]{}\\]|\\.)+/sy) : quoted.replaceAll(/^metadata\."|"$/g, '');
    this.#refuseBareBackslash();
    const field =
      quoted === '' ? unescaped(written, at) : `metadata.${unescaped(written, at + 'metadata."'.length)}`;
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
      text += this.#take(/(?:[^\s"()\\]|\\.)*/sy);
      const next = this.#text.charAt(this.#at);
      if (next !== '(' && (next !== ')' || open === 0)) break;
      open += next === '(' ? 1 : -1;
      text += this.#take(/[()]/y);
    }
    this.#refuseBareBackslash();
    if (text === '') throw queryFault(place, 'a value must be given');
    refuseOperator(text, place);
    return unescaped(text, place);
  }

  /** The last character of a query may be one. */
  #refuseBareBackslash(): void {
    if (this.#text.charAt(this.#at) === '\\') {
      throw queryFault(this.place, 'a character must follow the backslash');
    }
  }

  #quoted(): string {
    const place = this.place;
    const quoted = this.#take(/"(?:[^"\\]|\\.)*"/sy);
    if (quoted === '') throw queryFault(place, 'a quote is opened and not closed');
    return unescaped(quoted.slice(1, -1), place + 1);
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
    const text = this.#endText();
    this.skipSpaces();
    const closing = this.#take(/[\]}]/y);
    if (closing === '') throw queryFault(place, 'a range is opened and not closed');
    return {
      kind: 'range',
      from,
      to: text === undefined ? undefined : { text, at: toAt, inclusive: closing === ']' },
    };
  }

  #end(inclusive: boolean): RangeEnd | undefined {
    const at = this.place;
    const text = this.#endText();
    return text === undefined ? undefined : { text, at, inclusive };
  }

  /** Undefined: the range is open there. */
  #endText(): string | undefined {
    const at = this.place;
    const text = this.#take(/(?:[^\s\]}\\]|\\.)+/sy);
    this.#refuseBareBackslash();
    if (text === '') throw queryFault(at, 'a range must have two ends, or * for an open one');
    return text === '*' ? undefined : unescaped(text, at);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += taken.length;
    return taken;
  }
}
