import type { ShownToken } from '#access/showToken.ts';
import { isObject } from '#domain/token/types/tokenType.ts';
import type { Json, JsonObject } from '#ports/json.ts';
import { ValidationFailed } from '#src/errors.ts';

/** At most so many tokens are made of one request. Source: reference of tokenize. */
export const maximumTokens = 100;

/** A part of the request that becomes a token: as it stands there, or as the data of a plain one. */
export type Tokenizable = { path: string; request: JsonObject };

/** What becomes of a request: its shape stays, tokens take the place of values. */
export type Tokenization = {
  tokens: readonly Tokenizable[];
  /** @param present a token where its whole request stood; where a value stood goes its id */
  assemble(created: readonly ShownToken[], present: (token: ShownToken) => Json): Json;
};

type Build = (created: readonly ShownToken[], present: (token: ShownToken) => Json) => Json;

/**
 * Finds what becomes a token in any JSON: objects with `type` and `data` as token requests, other values as tokens
 * of type `token`; null stays. Source: reference of tokenize.
 * @throws ValidationFailed when there are more than a hundred
 */
export function planTokenization(body: Json): Tokenization {
  const tokens: Tokenizable[] = [];
  const assemble = plan(body, '', tokens);
  if (tokens.length > maximumTokens) {
    throw new ValidationFailed({ body: [`must hold at most ${maximumTokens} values to tokenize`] });
  }
  return { tokens, assemble };
}

function plan(value: Json, path: string, tokens: Tokenizable[]): Build {
  if (value === null) return () => null;
  if (Array.isArray(value)) {
    const items = value.map((item, index) => plan(item, `${path}[${index}]`, tokens));
    return (created, present) => items.map((build) => build(created, present));
  }
  if (!isObject(value)) {
    const index = tokens.push({ path, request: { type: 'token', data: value } }) - 1;
    return (created) => at(created, index).token.id;
  }
  if (isTokenRequest(value)) {
    const index = tokens.push({ path, request: value }) - 1;
    return (created, present) => present(at(created, index));
  }
  const members = Object.entries(value as JsonObject).map(
    ([name, member]) => [name, plan(member, path === '' ? name : `${path}.${name}`, tokens)] as const,
  );
  return (created, present) =>
    Object.fromEntries(members.map(([name, build]) => [name, build(created, present)]));
}

const isTokenRequest = (value: object): value is JsonObject =>
  Object.hasOwn(value, 'type') &&
  Object.hasOwn(value, 'data') &&
  typeof (value as JsonObject)['type'] === 'string';

function at(created: readonly ShownToken[], index: number): ShownToken {
  const token = created[index];
  if (token === undefined) throw new Error('a token is missing from the answer');
  return token;
}
