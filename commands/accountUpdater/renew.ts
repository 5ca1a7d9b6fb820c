import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { prepareToken } from '#commands/token/prepare.ts';
import type { PreparedToken } from '#commands/token/prepare.ts';
import { storeTokens } from '#commands/token/storeTokens.ts';
import type { StoredToken } from '#commands/token/storeTokens.ts';
import { updateToken } from '#commands/token/update.ts';
import { mayReveal } from '#access/evaluate.ts';
import { exposes, tellsPart } from '#access/maskReach.ts';
import type { CardExpiration } from '#ports/cardNetworks.ts';
import type { LiveToken } from '#domain/token/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';
import type { JsonObject } from '#ports/json.ts';
import { Forbidden, NotFound, ValidationFailed } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';
import { readTokenPayload } from '#src/payloads.ts';

/** A card token, and what its card is from now on. */
export type Renewal = {
  /** Tells the renewals of one command apart. */
  part: string;
  token: LiveToken;
  /** Of the token, without what is short-lived. */
  data: JsonObject;
  number: string;
  expiration: CardExpiration;
  /** Whether a token that has its fingerprint may take its place. Default: as the tenant wishes. */
  deduplicate?: boolean | undefined;
};

/** Existing tokens are brought up to date so many at a time. */
const sideBySide = 8;

/**
 * Makes a token for each renewed card, with all that its old token has but the data, and leaves the old one as it is;
 * what would show more of the new number than its ends is not taken over (decision 66).
 * Where the tenant wants no duplicates, a token that has the fingerprint already is brought up to date instead.
 * Answers their ids in the order of the renewals; undefined: such a token cannot be made.
 * @param context may be repeated: its tokens are then found
 * @throws Conflicted, Unavailable
 */
export async function renewTokens(
  dependencies: CommandDependencies,
  context: CommandContext,
  renewals: readonly Renewal[],
): Promise<(string | undefined)[]> {
  const allowed = { ...context, rights, meets: context.meets ?? 'all' };
  const prepared = await Promise.all(
    renewals.map((renewal) => prepareRenewal(dependencies, allowed, renewal)),
  );
  const possible = prepared.filter((token) => token !== undefined);
  const { stored } = await storeTokens(dependencies, allowed, possible);
  const byPrepared = new Map(possible.map((token, index) => [token, stored[index]]));
  const results = renewals.map((renewal, index) => {
    const token = prepared[index];
    return { renewal, stored: token === undefined ? undefined : byPrepared.get(token) };
  });
  const existing = results.flatMap(({ renewal, stored: one }) =>
    one !== undefined && 'existing' in one ? [{ renewal, token: one.existing }] : [],
  );
  for (let start = 0; start < existing.length; start += sideBySide) {
    await Promise.all(
      existing
        .slice(start, start + sideBySide)
        .map(({ renewal, token }) => bringUpToDate(dependencies, allowed, renewal, token)),
    );
  }
  return results.map(({ stored: one }) => (one === undefined ? undefined : idOf(one)));
}

/** Whoever had a job made may not see cards by it, so it may renew them all. */
const rights = { permissions: ['token:create', 'token:update'], rules: [] };

async function prepareRenewal(
  dependencies: CommandDependencies,
  context: CommandContext,
  renewal: Renewal,
): Promise<PreparedToken | undefined> {
  const { token, part } = renewal;
  const data = { ...renewal.data, ...changes(renewal) };
  const { mask, searchIndexes, fingerprintExpression } = inheritedBy(context, token, data);
  try {
    const input = {
      type: token.type,
      data,
      containers: token.containers,
      metadata: token.metadata ?? null,
      search_indexes: searchIndexes,
      fingerprint_expression: fingerprintExpression,
      deduplicate_token: renewal.deduplicate ?? null,
    };
    const prepared = await prepareToken(dependencies, context, input, `${part}.`, part);
    const { expiresAt } = token;
    return { ...prepared, attributes: { ...prepared.attributes, mask, expiresAt } };
  } catch (error) {
    if (error instanceof ValidationFailed) return undefined;
    throw error;
  }
}

type Inherited = { mask: unknown; searchIndexes: string[]; fingerprintExpression: string };

/**
 * How the new token is shown and found: like the old one, unless that would tell somebody more of the new number than
 * its ends, or parts by which it can be found out. Whoever made the old token did not know the new number.
 */
function inheritedBy({ meets }: CommandContext, token: LiveToken, data: JsonObject): Inherited {
  const { mask, searchIndexes = [], fingerprintExpression } = token;
  const inherited = { mask, searchIndexes: [...searchIndexes], fingerprintExpression };
  if (meets !== undefined && meets !== 'all' && mayReveal(meets, token)) return inherited;
  const type = tokenTypeOf(token);
  const ofCard = type.secretPaths.filter(({ isOfCard }) => isOfCard);
  // A card that has no code now may be given one later.
  const shape = { ...data, cvc: '' };
  const isSafe = (expression: string): boolean => !tellsPart(expression, ofCard, shape);
  return {
    mask: exposes(mask, ofCard, shape) ? type.defaultMask : mask,
    searchIndexes: searchIndexes.filter(isSafe),
    fingerprintExpression: isSafe(fingerprintExpression)
      ? fingerprintExpression
      : type.defaultFingerprintExpression,
  };
}

const changes = ({ number, expiration }: Renewal) => ({
  number,
  expiration_month: expiration.month,
  expiration_year: expiration.year,
});

/** Why an existing token stays as it is: it is gone, or is not to be changed so. */
const skipped = [NotFound, ValidationFailed, Forbidden];

async function bringUpToDate(
  dependencies: CommandDependencies,
  context: CommandContext,
  renewal: Renewal,
  existing: LiveToken,
): Promise<void> {
  const data = await (await readTokenPayload(dependencies.vault, existing))?.data();
  const wanted = changes(renewal);
  if (data !== undefined && isUpToDate(data as JsonObject, wanted)) return;
  const commandId = derivedId(context.commandId, renewal.part, 'existing');
  try {
    const patch = { data: wanted, deduplicate_token: false };
    await updateToken(dependencies, { ...context, commandId }, existing.id, patch);
  } catch (error) {
    // Deleted meanwhile, or not to be changed so: it is what it is.
    if (!skipped.some((kind) => error instanceof kind)) throw error;
  }
}

const isUpToDate = (data: JsonObject, wanted: JsonObject): boolean =>
  Object.entries(wanted).every(([name, value]) => data[name] === value);

/** One that an earlier run of the command made may have been deleted since. */
function idOf(stored: StoredToken): string | undefined {
  if ('existing' in stored) return stored.existing.id;
  const { state } = stored.executed;
  return state.status === 'live' ? state.id : undefined;
}
