import { ExpressionError } from '../error.ts';
import { isObject, type Json } from '../json.ts';
import { characterArgument, flagArgument, textArgument } from './arguments.ts';
import { perCharacter, type Filter } from './filter.ts';
import { mask, nullOr } from './reveal.ts';

/** Digits that name the issuer: eight since cards have sixteen digits or more, else six. */
export const binLength = (digits: number): number => (digits < 16 ? 6 : 8);

/** `card_mask: reveal_bin = false, reveal_last4 = false, mask = 'X', preserve = ''`. */
export const cardMask: Filter = {
  args: [0, 4],
  weight: perCharacter,
  bind(args) {
    const revealsBin = flagArgument(args, 0);
    const revealsLast4 = flagArgument(args, 1);
    const maskCharacter = characterArgument(args, 2, 'X');
    const preserved = new Set(textArgument(args, 3, ''));
    return nullOr((text) => {
      const characters = [...text];
      const ranks = rank(characters, (character) => !preserved.has(character));
      const count = ranks.count;
      const first = revealsBin ? binLength(count) : 0;
      const lastFrom = revealsLast4 ? count - 4 : count;
      const masked = mask(characters, maskCharacter, (index) => {
        const place = ranks.places[index];
        return place === undefined || place < first || place >= lastFrom;
      });
      return masked === text ? maskCharacter.repeat(characters.length) : masked;
    });
  },
};

/** The place of each counted character among the counted ones; undefined for the others. */
export function rank(characters: readonly string[], counts: (character: string) => boolean) {
  let count = 0;
  const places = characters.map((character) => (counts(character) ? count++ : undefined));
  return { places, count };
}

/** `card_bin: separator = ''`: the digits that name the issuer. */
export const cardBin: Filter = {
  args: [0, 1],
  bind(args) {
    const separator = textArgument(args, 0, '');
    return nullOr((text) => {
      const joined = separator === '' ? text : text.replaceAll(separator, '');
      const digits = joined.replace(/[ -]/g, '');
      const length = binLength(digits.length);
      // A "BIN" of a text this short would be the text itself.
      if (!/^\d+$/.test(digits) || digits.length <= length) throw new ExpressionError('needs a card number');
      return digits.slice(0, length);
    });
  },
};

/** `card_exp: format`: a card's expiry, MM, YY and YYYY being replaced in the format. */
export const cardExp: Filter = {
  args: [1, 1],
  bind(args) {
    const format = textArgument(args, 0);
    // YYYY is YY twice: a part that could be read in two ways would be tried in every way.
    if (format.length > 20 || !/^(?:MM|YY|[^\p{L}\p{N}])+$/u.test(format)) {
      throw new ExpressionError('the format is made of MM, YY, YYYY and separators');
    }
    return (value) => {
      if (value === null) return null;
      const { month, year } = expiryOf(value);
      const parts = new Map([
        ['MM', month.toString().padStart(2, '0')],
        ['YYYY', year.toString()],
        ['YY', year.toString().slice(-2)],
      ]);
      return format.replace(/MM|YYYY|YY/g, (part) => parts.get(part) ?? part);
    };
  },
};

function expiryOf(card: Json): { month: number; year: number } {
  if (isObject(card)) {
    const month = numberOf(card['expiration_month']);
    const year = numberOf(card['expiration_year']);
    if (month >= 1 && month <= 12 && year >= 0 && year <= 9999) {
      return { month, year: year < 100 ? 2000 + year : year };
    }
  }
  throw new ExpressionError('needs a card with expiration_month and expiration_year');
}

function numberOf(value: Json | undefined): number {
  if (typeof value === 'string' && /^\d{1,4}$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isInteger(value) ? value : Number.NaN;
}
