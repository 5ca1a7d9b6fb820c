const separators = [' ', '.', '_', ':', '-'];

/** 13 digits or more: unbroken, parted by single separators of one kind, or of any. */
const digitRuns = ['', ...separators, separators.join('')].map((parting) => {
  const between = parting === '' ? '' : `[${parting}]?`;
  return new RegExp(`\\d(?:${between}\\d){12,}`, 'g');
});

/**
 * How card numbers begin, and how long they then are. Clocks begin with 1 or 20 and are none.
 * Source: ISO/IEC 7812-1 (major industries), https://en.wikipedia.org/wiki/Payment_card_number (issuers in use).
 */
const shapes = [
  /^1\d{14}$/, // UATP
  /^2[2-7]\d{14,17}$/, // Mir, Mastercard
  /^[356]\d{13,18}$/,
  /^4\d{12,18}$/, // Visa alone still has numbers of 13 digits
  /^[89]\d{15,18}$/, // national schemes
];

/**
 * Whether a text has 13 to 19 digits in a row (single separators between them ignored) that begin as card numbers do
 * and pass Luhn. Only whole runs count: of the parts of an alias for a card most would pass by chance.
 */
export function holdsCardNumber(text: string): boolean {
  return digitRuns.some((run) => (text.match(run) ?? []).map(digitsOf).some(mayBeCardNumber));
}

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

const mayBeCardNumber = (digits: string): boolean =>
  shapes.some((shape) => shape.test(digits)) && passesLuhn(digits);

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
