import { ExpressionError } from '../error.ts';
import { limits } from '../limits.ts';
import type { Random, Run } from '../run.ts';
import { countArgument, flagArgument, textInput } from './arguments.ts';
import { binLength, rank } from './card.ts';
import type { Apply, Filter } from './filter.ts';

const lowerCase = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';

type Hide = (characters: string[], random: Random) => string;

/** `alias_preserve_format: reveal_first = 0, reveal_last = 0`: letters and digits become other ones. */
export const aliasPreserveFormat: Filter = characterAlias((character, random) => {
  if (/\p{L}/u.test(character)) return pick(lowerCase, random);
  return /\p{N}/u.test(character) ? pick(digits, random) : character;
});

/** `alias_preserve_length: reveal_first = 0, reveal_last = 0`: every character becomes another one. */
export const aliasPreserveLength: Filter = characterAlias((_, random) => pick(lowerCase + digits, random));

/** `alias_card: reveal_bin = false, reveal_last4 = false`: digits become others; spaces and dashes stay. */
export const aliasCard: Filter = {
  args: [0, 2],
  random: true,
  bind(args) {
    const revealsBin = flagArgument(args, 0);
    const revealsLast4 = flagArgument(args, 1);
    return alias((characters, random) => {
      const { places, count } = rank(characters, (character) => /\d/.test(character));
      if (characters.some((character) => !/[\d -]/.test(character))) {
        throw new ExpressionError('needs a card number');
      }
      const first = revealsBin ? binLength(count) : 0;
      const lastFrom = revealsLast4 ? count - 4 : count;
      if (lastFrom <= first) throw new ExpressionError('the card number is too short to be hidden');

      const hidden = (place: number | undefined) => place !== undefined && place >= first && place < lastFrom;
      const result = characters.map((each, index) => (hidden(places[index]) ? pick(digits, random) : each));
      return withoutChecksum(result, places.indexOf(lastFrom - 1), random);
    });
  },
};

/** An alias must not be somebody's card. Changing one digit always breaks the checksum. */
function withoutChecksum(characters: string[], hiddenIndex: number, random: Random): string {
  if (!passesLuhn(characters)) return characters.join('');
  const digit = (Number(characters[hiddenIndex]) + 1 + random(9)) % 10;
  return characters.with(hiddenIndex, String(digit)).join('');
}

function passesLuhn(characters: readonly string[]): boolean {
  const reversed = characters.filter((character) => /\d/.test(character)).reverse();
  const sum = reversed.reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 0 ? 1 : 2);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}

function characterAlias(replace: (character: string, random: Random) => string): Filter {
  return {
    args: [0, 2],
    random: true,
    bind(args) {
      const first = countArgument(args, 0, 0);
      const last = countArgument(args, 1, 0);
      return alias((characters, random) => {
        const lastFrom = characters.length - last;
        if (lastFrom <= first) throw new ExpressionError('the value is too short to be hidden');
        return characters
          .map((each, index) => (index < first || index >= lastFrom ? each : replace(each, random)))
          .join('');
      });
    },
  };
}

function alias(hide: Hide): Apply {
  return (value, { random }: Run) => {
    if (random === undefined) throw new ExpressionError('aliases can be made for ids only');
    if (value === null) return null;
    const text = textInput(value);
    if (text.length > limits.aliasLength) throw new ExpressionError('the value is too long for an alias');
    return hide([...text], random);
  };
}

const pick = (alphabet: string, random: Random): string => alphabet.charAt(random(alphabet.length));
