import { isDeepStrictEqual } from 'node:util';
import { fingerprintedText } from '#commands/token/secret.ts';
import type { LiveToken, TokenAttributes } from '#domain/token/state.ts';
import type { TokenType } from '#domain/token/types/tokenType.ts';
import { maskLeaves, readPath, referencesOf } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';

/** A token that is wanted, unless there is one like it. */
export type Wanted = {
  fingerprint: string;
  type: TokenType;
  attributes: Omit<TokenAttributes, 'payloadId'>;
  /** What lasts of it. */
  data: Json;
};

/** Whether two tokens of one request come to the same. */
export const areTwins = (one: Wanted, other: Wanted): boolean =>
  one.fingerprint === other.fingerprint &&
  one.attributes.expiresAt === other.attributes.expiresAt &&
  areShownAlike(one.attributes, other.attributes) &&
  holdTheSame(one, other);

/**
 * Whether a token may be answered in the place of one that is wanted: others see and find no more of it than they
 * would of the wanted one, and it lasts as long. Whoever made it may be anybody, and data may be written to it later.
 */
export const canStandFor = (token: LiveToken, wanted: Wanted): boolean =>
  areShownAlike(token, wanted.attributes) && lastsAsLong(token, wanted.attributes);

type Shown = Pick<TokenAttributes, 'mask' | 'containers' | 'searchIndexes' | 'fingerprintExpression'>;

const areShownAlike = (one: Shown, other: Shown): boolean =>
  one.fingerprintExpression === other.fingerprintExpression &&
  isDeepStrictEqual(one.mask, other.mask) &&
  haveSame(one.containers, other.containers) &&
  haveSame(one.searchIndexes ?? [], other.searchIndexes ?? []);

const haveSame = (one: readonly string[], other: readonly string[]): boolean =>
  isDeepStrictEqual(new Set(one), new Set(other));

function lastsAsLong({ expiresAt }: Pick<LiveToken, 'expiresAt'>, wanted: Wanted['attributes']): boolean {
  if (expiresAt === undefined) return true;
  return wanted.expiresAt !== undefined && Date.parse(expiresAt) >= Date.parse(wanted.expiresAt);
}

type Held = Pick<Wanted, 'type' | 'data'> & {
  attributes: Pick<Wanted['attributes'], 'fingerprintExpression' | 'metadata'>;
};

/**
 * Whether two tokens with one fingerprint hold the same: a fingerprint can be copied in the database, and different
 * values can have one text, as `"12"` and `12`.
 */
export function holdTheSame(one: Held, other: Held): boolean {
  const { fingerprintExpression } = one.attributes;
  if (fingerprintExpression === one.type.defaultFingerprintExpression) {
    return valuesReadBy(fingerprintExpression).every((path) =>
      isDeepStrictEqual(readPath({ data: one.data }, path), readPath({ data: other.data }, path)),
    );
  }
  return textOf(one) === textOf(other);
}

const valuesReadBy = (expression: string) =>
  maskLeaves(expression).flatMap(({ outputs }) => outputs.flatMap(referencesOf));

const textOf = ({ attributes, data }: Held): string | undefined =>
  fingerprintedText(attributes.fingerprintExpression, data, attributes.metadata ?? {});
