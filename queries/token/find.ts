import type { Rights } from '#access/evaluate.ts';
import { listedFor } from '#access/listed.ts';
import { rowByKey } from '#ports/readModels.ts';
import { metadataTerms } from '#src/metadataTerms.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import type { Place, TokenFilter } from '#queries/token/filter.ts';
import { tokenColumns } from '#queries/token/row.ts';
import type { TokenRow } from '#queries/token/row.ts';

/** Matches of a filter are counted this far. */
export const countedTo = 10_000;

/** Who asks, and by which permission. */
export type Seeker = { tenantId: string; rights: Rights; permission: 'token:read' | 'token:search' };

export type Extent = { before?: Place | undefined; skip: number; most: number };

/** Of `find_tokens`, each filter by itself. */
const parametersOfOne = 15;

/** The ids of what any of the filters finds; the parameters of one follow those of another. */
function foundByAny(filters: number): string {
  const calls = Array.from({ length: filters }, (_, index) => {
    const numbers = Array.from(
      { length: parametersOfOne },
      (_, at) => `$${2 + index * parametersOfOne + at}`,
    );
    return `select found from read_models.find_tokens(${numbers.join(', ')})`;
  });
  return `(${calls.join(' union ')})`;
}

/** The tokens that any of the filters asks for and the caller may see, newest first. */
export async function findTokens(
  dependencies: QueryDependencies,
  seeker: Seeker,
  filters: readonly TokenFilter[],
  { before, skip, most }: Extent,
): Promise<TokenRow[]> {
  // Which of them a filter finds that stand on this page, is known when all have been put in one order.
  const isOne = filters.length === 1;
  const extent = isOne ? { before, skip, most } : { before, skip: 0, most: skip + most };
  const end = 2 + filters.length * parametersOfOne;
  return dependencies.readModels.rows<TokenRow>(
    seeker.tenantId,
    {
      name: `tokens_found_${filters.length}`,
      text: `select ${tokenColumns} from ${foundByAny(filters.length)} as match
        cross join ${rowByKey('read_models.tokens', 'match.found')} as token
        order by token.created_at desc, token.ordinal desc
        ${isOne ? '' : `offset $${end} limit $${end + 1}`}`,
    },
    [...(await parameters(dependencies, seeker, filters, extent)), ...(isOne ? [] : [skip, most])],
  );
}

/** How many there are, exact to {@link countedTo}. */
export async function countFound(
  dependencies: QueryDependencies,
  seeker: Seeker,
  filters: readonly TokenFilter[],
): Promise<number> {
  const extent = { skip: 0, most: countedTo };
  const rows = await dependencies.readModels.rows<{ total: string }>(
    seeker.tenantId,
    {
      name: `tokens_counted_${filters.length}`,
      text: `select count(*) as total from ${foundByAny(filters.length)} as match where tenant.id is not null`,
    },
    await parameters(dependencies, seeker, filters, extent),
  );
  return Math.min(Number(rows[0]?.total ?? 0), countedTo);
}

async function parameters(
  dependencies: QueryDependencies,
  seeker: Seeker,
  filters: readonly TokenFilter[],
  extent: Extent,
): Promise<unknown[]> {
  const all = filters.map((filter) => parametersOf(dependencies, seeker, filter, extent));
  return (await Promise.all(all)).flat(1);
}

async function parametersOf(
  { vault, clock }: QueryDependencies,
  { tenantId, rights, permission }: Seeker,
  filter: TokenFilter,
  { before, skip, most }: Extent,
): Promise<unknown[]> {
  const listed = listedFor(rights, permission);
  const digests = filter.data?.map((value) => vault.blindIndex(tenantId, value));
  return [
    clock.now(),
    common(filter.ids, listed.ids) ?? null,
    filter.types ?? null,
    listed.containers ?? null,
    listed.grants === undefined ? null : JSON.stringify(listed.grants),
    filter.containers ?? null,
    filter.metadata === undefined ? null : metadataTerms(tenantId, filter.metadata),
    digests === undefined ? null : await Promise.all(digests),
    filter.fingerprint ?? null,
    filter.createdFrom ?? null,
    filter.createdTo ?? null,
    before?.createdAt ?? null,
    before?.ordinal ?? null,
    skip,
    most,
  ];
}

/** What is in both; a list that is not given does not count. */
function common(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.filter((id) => b.includes(id));
}
