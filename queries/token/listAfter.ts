import type { ShownToken } from '#access/showToken.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import type { Place, TokenFilter } from '#queries/token/filter.ts';
import { findTokens } from '#queries/token/find.ts';
import type { Seeker } from '#queries/token/find.ts';
import { showAll } from '#queries/token/showAll.ts';

/** Some tokens of a list, and where to go on; `next` is undefined at its end. */
export type Stretch = { items: ShownToken[]; next: Place | undefined };

/**
 * The tokens after a place in the list, newest first: what is added or removed meanwhile moves nothing.
 * Source: reference of the second version of list and search.
 */
export async function listTokensAfter(
  dependencies: QueryDependencies,
  seeker: Seeker,
  filters: readonly TokenFilter[],
  { start, size }: { start: Place | undefined; size: number },
): Promise<Stretch> {
  const found = await findTokens(dependencies, seeker, filters, { before: start, skip: 0, most: size + 1 });
  const rows = found.slice(0, size);
  const last = found.length > size ? rows.at(-1) : undefined;
  return {
    items: await showAll(dependencies, seeker, rows),
    next: last && { createdAt: last.created_at.toISOString(), ordinal: last.ordinal },
  };
}
