import { digitsOf, holdsCardNumber } from '#domain/token/cardNumber.ts';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** International telephone numbers, which are at most 15 digits. Source: ITU-T E.164. */
const telephone = /\+(?:[ .()-]?\d){7,15}(?!\d)/g;

/** Times since 1970 between 2001 and 2033, in thousandths of a second or less: reversed, some would pass for numbers. */
const times = /(?<!\d)1\d{9}(?:\d{3}){1,3}(?!\d)/g;

/** What might be base64, with either alphabet, long enough for a number of 13 digits or a secret of six. */
const base64 = /[A-Za-z0-9+/_-]{8,}/g;

/**
 * What is wrong with a text that is kept in clear for ever, or undefined: it must hold no card number and none of a
 * token's secrets, as they are, reversed or in base64. Secrets of less than six digits or eight characters are in many
 * texts by chance.
 */
export function clearTextFault(text: string, secrets: readonly string[] = []): string | undefined {
  const known = text.replace(uuid, ' ').replace(telephone, ' ');
  const reversed = reverse(known.replace(times, ' '));
  if ([known, reversed, ...decoded(text)].some(holdsCardNumber)) {
    return 'must not hold a card number: it is kept in clear';
  }
  return hidesSecret(text, secrets) ? 'must not hold the data of the token: it is kept in clear' : undefined;
}

/** Whether a text holds one of these secrets, as it is, reversed or in base64; short ones do not count. */
export function hidesSecret(text: string, secrets: readonly string[]): boolean {
  const long = secrets.filter((secret) => digitsOf(secret).length >= 6 || secret.length >= 8);
  if (long.length === 0) return false;
  const forms = [text, reverse(text), ...decoded(text)];
  return long.some((secret) => forms.some((form) => holdsSecret(form, secret)));
}

/**
 * Whether the digits of a secret are in a text, whatever stands between them. Five digits or fewer are there by chance
 * in many texts: they count only as they are written, three not at all.
 */
export function holdsSecret(text: string, secret: string): boolean {
  const digits = digitsOf(secret);
  if (digits.length >= 6) return digitsOf(text).includes(digits);
  return secret.length >= 4 && text.includes(secret);
}

const reverse = (text: string): string => [...text].reverse().join('');

/** What stands in base64 in a text, maybe after characters that belong to something else. */
const decoded = (text: string): string[] =>
  (text.match(base64) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1')),
  );
