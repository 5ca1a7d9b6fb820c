import { valueAt } from '#http/validation/pointer.ts';

const place = /\{\{(?:(\d+):([^}|]*)|(\w+))(\|url)?\}\}/g;

/**
 * Puts values in place of `{{n:/pointer}}` (of the answer to exchange n), `{{name}}`, and the same with `|url`,
 * percent-encoded. What is not known stays: clients send expressions of tokens, too.
 */
export const fill = (
  text: string,
  named: Readonly<Record<string, string>>,
  answers: ReadonlyMap<number, unknown>,
): string =>
  text.replaceAll(place, (whole, n?: string, pointer = '', name = '', encoded?: string) => {
    const value = n === undefined ? named[name] : valueAt(answers.get(Number(n)), pointer);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return whole;
    return encoded === undefined ? String(value) : encodeURIComponent(value);
  });
