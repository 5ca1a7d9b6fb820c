const ranges: readonly (readonly [RegExp, string])[] = [
  [/^3[47]/, 'american-express'],
  [/^(30[0-5]|3095|36|3[89])/, 'diners-club'],
  [/^35(2[89]|[3-8])/, 'jcb'],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'mastercard'],
  [/^220[0-4]/, 'mir'],
  [/^(6011|64[4-9]|65)/, 'discover'],
  [/^(62|81)/, 'unionpay'],
  [/^(50|5[6-9]|6)/, 'maestro'],
  [/^4/, 'visa'],
];

/** The network that a number belongs to. Source: https://en.wikipedia.org/wiki/Payment_card_number. */
export const cardSchemeOf = (number: string): string | undefined =>
  ranges.find(([pattern]) => pattern.test(number))?.[1];
