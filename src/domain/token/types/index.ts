import { bankTokenType } from '#domain/token/types/bank.ts';
import { cardTokenType } from '#domain/token/types/card.ts';
import {
  bankAccountNumberTokenType,
  bankRoutingNumberTokenType,
  cardNumberTokenType,
  employerIdNumberTokenType,
  socialSecurityNumberTokenType,
} from '#domain/token/types/digits.ts';
import { tokenTokenType } from '#domain/token/types/token.ts';
import type { TokenType } from '#domain/token/types/tokenType.ts';

const types: readonly TokenType[] = [
  tokenTokenType,
  cardTokenType,
  bankTokenType,
  cardNumberTokenType,
  bankAccountNumberTokenType,
  bankRoutingNumberTokenType,
  socialSecurityNumberTokenType,
  employerIdNumberTokenType,
];

const byName = new Map(types.map((type) => [type.name, type]));

export const tokenTypeNames: readonly string[] = types.map((type) => type.name);

export const tokenTypeNamed = (name: string): TokenType | undefined => byName.get(name);

/** The type of a token that exists. */
export function tokenTypeOf(token: { type: string }): TokenType {
  const type = byName.get(token.type);
  if (type === undefined) throw new Error(`a token of the unknown type '${token.type}'`);
  return type;
}
