import type { ShownToken } from '#access/showToken.ts';
import { ExpressionError, parseDetokenization } from '#expressions/index.ts';
import type { Detokenization } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { getToken } from '#queries/token/get.ts';
import type { GetTokenOptions, Reader } from '#queries/token/get.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';

/** At most this many tokens may be detokenized at a time. spec: Limits */
export const maximumTokens = 100;

/** The value, and the tokens that something of is in it. */
export type Detokenized = { value: Json; tokens: ShownToken[] };

/**
 * Any JSON value with its detokenization expressions replaced by what the caller may see of the tokens.
 * Source: reference of detokenization expressions.
 * @param present a token as a whole, for `{{ token: id }}`
 * @param permission by which the caller gets at the tokens
 * @throws ValidationFailed for a bad expression, and for unknown tokens, which it names where they stand
 * @throws Forbidden for a token whose containers are not granted
 */
export async function detokenize(
  dependencies: QueryDependencies,
  caller: Reader,
  value: Json,
  present: (shown: ShownToken) => Json,
  permission: GetTokenOptions['permission'] = 'token:read',
): Promise<Detokenized> {
  const { references, placesOf, resolve } = orFault(() => parseDetokenization(value));
  const ids = [...new Set(references.map(({ id }) => id))];
  if (ids.length > maximumTokens) {
    throw new ValidationFailed({ body: [`must refer to at most ${maximumTokens} tokens`] });
  }
  const enriched = new Set(references.filter(({ wants }) => wants === 'enrichments').map(({ id }) => id));
  const find = (id: string): Promise<ShownToken> =>
    getToken(dependencies, caller, id, { withEnrichments: enriched.has(id), permission });
  const tokens = await findAll(ids, find, placesOf);
  const detokenized = orFault(() =>
    resolve(({ id, wants }) => {
      const shown = tokens.get(id);
      if (shown === undefined) throw new Error('a reference was not listed');
      if (wants === 'enrichments') return { enrichments: shown.enrichments ?? null };
      return wants === 'token' ? present(shown) : (shown.data ?? null);
    }),
  );
  return { value: detokenized, tokens: [...tokens.values()] };
}

/** How many tokens a value refers to. @throws ValidationFailed for a bad expression */
export function countReferences(value: Json): number {
  const { references } = orFault(() => parseDetokenization(value));
  return new Set(references.map(({ id }) => id)).size;
}

async function findAll(
  ids: readonly string[],
  find: (id: string) => Promise<ShownToken>,
  placesOf: Detokenization['placesOf'],
): Promise<Map<string, ShownToken>> {
  const outcomes = await Promise.allSettled(ids.map(find));
  const unknown = new Set(
    ids.filter((_, index) => {
      const outcome = outcomes[index];
      return outcome?.status === 'rejected' && outcome.reason instanceof NotFound;
    }),
  );
  if (unknown.size > 0) throw notFound(placesOf(unknown));
  const shown = outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
  return new Map(shown.map((one) => [one.token.id, one]));
}

function notFound(places: ReadonlyMap<string, readonly string[]>): ValidationFailed {
  const faults = [...places].map(([path, ids]): [string, string[]] => [
    displayed(path),
    [`Failed to detokenize some tokens: ${ids.join(', ')}`],
  ]);
  return new ValidationFailed(Object.fromEntries(faults));
}

/** The whole has no path, and a fault needs one. */
const displayed = (path: string | undefined): string => (path === undefined || path === '' ? 'body' : path);

function orFault<Result extends Json | Detokenization>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ValidationFailed({ [displayed(error.path)]: [error.message] });
  }
}
