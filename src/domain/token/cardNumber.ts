const separators = [' ', '.', '_', ':', '-'];

/** 13 digits or more: unbroken, parted by single separators of one kind, or of any. */
const digitRuns = ['', ...separators, separators.join('')].map((parting) => {
  const between = parting === '' ? '' : `[${parting}]?`;
  return new RegExp(`\\d(?:${between}\\d){12,}`, 'g');
});

/**
 * Whether a text has 13 to 19 digits in a row (single separators between them ignored) that pass Luhn. Only whole
 * runs count: of the parts of an alias for a card most would pass by chance.
 */
export function holdsCardNumber(text: string): boolean {
  return digitRuns.some((run) => (text.match(run) ?? []).map(digitsOf).some(mayBeCardNumber));
}

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

const mayBeCardNumber = (digits: string): boolean => digits.length <= 19 && passesLuhn(digits);

/** The check digit of card numbers (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
