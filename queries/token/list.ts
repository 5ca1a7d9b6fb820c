import type { ShownToken } from '#access/showToken.ts';
import type { Page, PageRequest, QueryDependencies } from '#queries/dependencies.ts';
import { countTokens } from '#queries/token/count.ts';
import type { TokenFilter } from '#queries/token/filter.ts';
import { findTokens } from '#queries/token/find.ts';
import type { Seeker } from '#queries/token/find.ts';
import { showAll } from '#queries/token/showAll.ts';

/**
 * A page of the tokens that the caller may see, newest first, each under the caller's transform.
 * spec: List Tokens
 */
export async function listTokens(
  dependencies: QueryDependencies,
  seeker: Seeker,
  filters: readonly TokenFilter[],
  { page, size }: PageRequest,
): Promise<Page<ShownToken>> {
  const [rows, totalItems] = await Promise.all([
    findTokens(dependencies, seeker, filters, { skip: (page - 1) * size, most: size }),
    countTokens(dependencies, seeker, filters),
  ]);
  const items = await showAll(dependencies, seeker, rows);
  return { items, totalItems, page, size };
}
