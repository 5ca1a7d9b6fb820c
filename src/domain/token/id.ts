import { hidesSecret, holdsSecret } from '#domain/clearText.ts';
import { holdsCardNumber } from '#domain/token/cardNumber.ts';

/** Characters that no id may hold. Source: reference of ids and aliases. */
export const forbiddenInIds: readonly string[] = [...'#/\\+?[]|&=%<>{}^'];

/** Of ids, in characters. */
export const idLength = { least: 3, most: 400 };

/** Clients give random uuids; by chance one looks like a card number with dashes. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * What is wrong with a token's id, or undefined. An id is part of a stream name, so it must not hold what the
 * token keeps: no run of digits that passes for a card number, and none of the token's own secrets.
 * Source: reference of ids and aliases.
 */
export function tokenIdFault(id: string, secrets: readonly string[] = []): string | undefined {
  const { least, most } = idLength;
  if (id.length < least || id.length > most) return `must be ${least} to ${most} characters long`;
  const character = forbiddenInIds.find((each) => id.includes(each));
  if (character !== undefined) return `must not contain '${character}'`;
  if (hasControlCharacter(id)) return 'must not contain control characters';
  if (secrets.some((secret) => holdsSecret(id, secret)) || hidesSecret(id, secrets)) {
    return 'must not contain the data of the token';
  }
  if (!uuid.test(id) && holdsCardNumber(id)) return 'must not contain a card number';
  return undefined;
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}
