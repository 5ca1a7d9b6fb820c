import { passesLuhn } from '#domain/token/cardNumber.ts';

const [shortest, longest] = [13, 19];

export type Stretch = { start: number; end: number };

/**
 * Where 13 to 19 digits that pass Luhn stand, single spaces or dashes between them or not. A number may have
 * others before and behind it, as a date is: all that begin and end where groups of digits do are looked at.
 */
export function* cardNumbersIn(text: string): Generator<Stretch> {
  let run: RegExpExecArray[] = [];
  for (const group of text.matchAll(/\d+/g)) {
    const last = run.at(-1);
    if (last !== undefined && !isJoined(text, last.index + last[0].length, group.index)) {
      yield* numbersOf(run);
      run = [];
    }
    run.push(group);
  }
  yield* numbersOf(run);
}

const isJoined = (text: string, end: number, start: number): boolean =>
  start === end + 1 && (text[end] === ' ' || text[end] === '-');

function* numbersOf(run: readonly RegExpExecArray[]): Generator<Stretch> {
  for (const [first, { index: start }] of run.entries()) {
    let digits = '';
    for (let next = first; next < run.length; next++) {
      const group = run[next];
      if (group === undefined || digits.length + group[0].length > longest) break;
      digits += group[0];
      if (digits.length >= shortest && passesLuhn(digits)) {
        yield { start, end: group.index + group[0].length };
      }
    }
  }
}
