import type { CommandContext } from '#commands/context.ts';
import type { TokenPatch } from '#commands/token/update.ts';
import { mayReveal } from '#access/evaluate.ts';
import { exposes, showsMoreThan } from '#access/maskReach.ts';
import type { LiveToken, TokenAttributes } from '#domain/token/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';
import type { Json } from '#ports/json.ts';
import { Forbidden } from '#src/errors.ts';
import { isDeepStrictEqual } from 'node:util';

type Change = {
  patch: TokenPatch;
  attributes: Pick<TokenAttributes, 'mask'>;
  /** As it will be, with everything in it. */
  data: Json;
};

/**
 * Makes sure that an update lets nobody see, by whatever request comes next, what the caller may not see itself.
 * Whether it does is told by expressions and the shape of the data alone: a refusal must not tell of the rest.
 * @throws Forbidden
 */
export function requireReveal({ rights }: CommandContext, token: LiveToken, change: Change): void {
  if (mayReveal(rights, token)) return;
  if (widensMask(token, change)) {
    throw lacksReveal('mask', 'show more of the data than the mask before').about(token.id);
  }
}

function widensMask(token: LiveToken, { attributes: { mask }, data }: Change): boolean {
  if (mask === undefined || isDeepStrictEqual(mask, token.mask)) return false;
  const ofCard = tokenTypeOf(token).secretPaths.filter(({ isOfCard }) => isOfCard);
  return showsMoreThan(token.mask, mask) || exposes(mask, ofCard, data);
}

const lacksReveal = (attribute: string, effect: string): Forbidden =>
  new Forbidden(
    `The new ${attribute} could ${effect}: this takes a rule that grants token:read for this token with the transform reveal.`,
  );
