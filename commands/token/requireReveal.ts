import { isDeepStrictEqual } from 'node:util';
import type { CommandContext } from '#commands/context.ts';
import { mayReveal } from '#access/evaluate.ts';
import { exposes, mixes, showsMoreThan } from '#access/maskReach.ts';
import type { LiveToken, TokenAttributes } from '#domain/token/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';
import type { Json } from '#ports/json.ts';
import { Forbidden } from '#src/errors.ts';

type Change = {
  attributes: Pick<TokenAttributes, 'mask' | 'containers' | 'fingerprintExpression' | 'searchIndexes'>;
  /** As it will be, with everything in it. */
  data: Json;
  /** What the request gives of the data; undefined: none of it. */
  patch: Json | undefined;
  /** Whether that is all of the data, so that nothing is in it which the caller does not know. */
  isWhole: boolean;
};

/**
 * Makes sure that an update lets nobody find out, by whatever request comes next, what the caller may not see itself.
 * Expressions and the shape of the data alone decide: a refusal must not depend on the values.
 * @throws Forbidden
 */
export function requireReveal({ rights }: CommandContext, token: LiveToken, change: Change): void {
  if (mayReveal(rights, token)) return;
  if (widensMask(token, change)) {
    throw lacksReveal('mask', 'show more of the data than the mask before').about(token.id);
  }
  if (steersMask(change)) {
    throw lacksReveal('data', 'steer what the mask shows of the data that the request leaves as it is').about(
      token.id,
    );
  }
  const probe = change.isWhole ? undefined : probeOf(token, change.attributes);
  if (probe !== undefined) {
    throw lacksReveal(probe, 'tell of data that the request does not give as a whole').about(token.id);
  }
}

/** The attribute whose change lets others see stored data, or ask for parts of it. */
function probeOf(
  token: LiveToken,
  { fingerprintExpression, ...after }: Change['attributes'],
): string | undefined {
  if (fingerprintExpression !== token.fingerprintExpression) return 'fingerprint_expression';
  if (after.searchIndexes?.some((index) => token.searchIndexes?.includes(index) !== true)) {
    return 'search_indexes';
  }
  return areSame(after.containers, token.containers) ? undefined : 'containers';
}

const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  isDeepStrictEqual(new Set(a), new Set(b));

function widensMask(token: LiveToken, { attributes: { mask }, data }: Change): boolean {
  if (mask === undefined || isDeepStrictEqual(mask, token.mask)) return false;
  const ofCard = tokenTypeOf(token).secretPaths.filter(({ isOfCard }) => isOfCard);
  return showsMoreThan(token.mask, mask) || exposes(mask, ofCard, data);
}

const steersMask = ({ attributes: { mask }, patch, data, isWhole }: Change): boolean =>
  patch !== undefined && !isWhole && mixes(mask, patch, data);

const lacksReveal = (attribute: string, effect: string): Forbidden =>
  new Forbidden(
    `The new ${attribute} could ${effect}: this takes a rule that grants token:read for this token with the transform reveal.`,
  );
