const forbidden = /[#/\\+?[\]|&=%<>{}^]/;
const digitRun = /\d(?:[ -]?\d){12,}/g;
/** Clients give random uuids; by chance one looks like a card number with dashes. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * What is wrong with a token's id, or undefined. An id is part of a stream name, so it must not hold what the
 * token keeps: no run of 13 to 19 digits that passes for a card number, and not the account number.
 * Source: reference of ids and aliases.
 */
export function tokenIdFault(id: string, secrets: readonly string[] = []): string | undefined {
  if (id.length < 3 || id.length > 400) return 'must be 3 to 400 characters long';
  const character = forbidden.exec(id)?.[0];
  if (character !== undefined) return `must not contain '${character}'`;
  if (hasControlCharacter(id)) return 'must not contain control characters';
  if (!uuid.test(id) && holdsCardNumber(id)) return 'must not contain a card number';
  if (secrets.some((secret) => secret.length >= 4 && id.includes(secret))) {
    return 'must not contain the data of the token';
  }
  return undefined;
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/**
 * Whether a text has 13 to 19 digits in a row (spaces and dashes between them ignored) that pass Luhn. Only whole
 * runs count: of the parts of an alias for a card most would pass by chance.
 */
export function holdsCardNumber(text: string): boolean {
  for (const [run] of text.matchAll(digitRun)) {
    const digits = run.replace(/[ -]/g, '');
    if (digits.length <= 19 && passesLuhn(digits)) return true;
  }
  return false;
}

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
