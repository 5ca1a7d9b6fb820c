import type { Json } from '../json.ts';
import { characterArgument, countArgument, textArgument, textInput } from './arguments.ts';
import { perCharacter, type Filter } from './filter.ts';

/** Characters in, characters out: each is kept or becomes the mask character. */
export function mask(
  characters: readonly string[],
  maskCharacter: string,
  keeps: (index: number) => boolean,
) {
  return characters.map((character, index) => (keeps(index) ? character : maskCharacter)).join('');
}

/** `reveal: first = 0, last = 0, mask = 'X', preserve = ''`; masks all rather than nothing. */
export const reveal: Filter = {
  args: [0, 4],
  weight: perCharacter,
  bind(args) {
    const first = countArgument(args, 0, 0);
    const last = countArgument(args, 1, 0);
    const maskCharacter = characterArgument(args, 2, 'X');
    const preserved = new Set(textArgument(args, 3, ''));
    return nullOr((text) => {
      const characters = [...text];
      const lastFrom = characters.length - last;
      const masked = mask(characters, maskCharacter, (index) => {
        return index < first || index >= lastFrom || preserved.has(characters[index] ?? '');
      });
      const hidesNothing = characters.length <= first + last || masked === text;
      return hidesNothing ? maskCharacter.repeat(characters.length) : masked;
    });
  },
};

/** `reveal_last: count, mask = 'X'`; keeps dashes, and gives a text no longer than the count as it is. */
export const revealLast: Filter = {
  args: [1, 2],
  weight: perCharacter,
  bind(args) {
    const count = countArgument(args, 0);
    const maskCharacter = characterArgument(args, 1, 'X');
    return nullOr((text) => {
      const characters = [...text];
      const lastFrom = characters.length - count;
      return mask(characters, maskCharacter, (index) => index >= lastFrom || characters[index] === '-');
    });
  },
};

export const last4: Filter = {
  args: [0, 0],
  weight: perCharacter,
  bind: () => nullOr((text) => [...text].slice(-4).join('')),
};

/** `pad_left: length, character` and `pad_right`; a longer text is left alone. */
export const padLeft: Filter = pad((text, padding) => padding + text);
export const padRight: Filter = pad((text, padding) => text + padding);

function pad(place: (text: string, padding: string) => string): Filter {
  return {
    args: [2, 2],
    weight: perCharacter,
    bind(args) {
      const length = countArgument(args, 0);
      const character = characterArgument(args, 1);
      return nullOr((text) => place(text, character.repeat(Math.max(0, length - [...text].length))));
    },
  };
}

/** A value that is not there stays so: nothing is made up from it. */
export function nullOr(apply: (text: string) => Json): (value: Json) => Json {
  return (value) => (value === null ? null : apply(textInput(value)));
}
