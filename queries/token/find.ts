import { redactsAny, transformFor } from '#access/evaluate.ts';
import type { Rights } from '#access/evaluate.ts';
import { mayKnowFingerprint } from '#access/fingerprints.ts';
import { listedFor } from '#access/listed.ts';
import { rowByKey } from '#ports/readModels.ts';
import { metadataTerms } from '#src/metadataTerms.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import type { Place, TokenFilter } from '#queries/token/filter.ts';
import { tokenColumns, tokenOf } from '#queries/token/row.ts';
import type { TokenRow } from '#queries/token/row.ts';

/** Matches of a filter are counted this far. */
export const countedTo = 10_000;

/** Who asks, and by which permission. */
export type Seeker = { tenantId: string; rights: Rights; permission: 'token:read' | 'token:search' };

export type Extent = { before?: Place | undefined; skip: number; most: number };

const found = `from read_models.find_tokens(
  $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) as match`;

/** The tokens that a filter asks for and the caller may see, newest first. */
export async function findTokens(
  dependencies: QueryDependencies,
  seeker: Seeker,
  filter: TokenFilter,
  extent: Extent,
): Promise<TokenRow[]> {
  return dependencies.readModels.rows<TokenRow>(
    seeker.tenantId,
    {
      name: 'tokens_found',
      text: `select ${tokenColumns} ${found}
        cross join ${rowByKey('read_models.tokens', 'match.found')} as token
        order by token.created_at desc, token.ordinal desc`,
    },
    await parameters(dependencies, seeker, filter, extent),
  );
}

/**
 * All tokens that a filter finds for the caller, to {@link countedTo}, where it asks for something that depends on
 * data: those whose fingerprint, or of which anything, the caller may not know are left out, or a filter would tell.
 * Undefined: the filter asks for nothing of the kind.
 */
export async function findKnown(
  dependencies: QueryDependencies,
  seeker: Seeker,
  filter: TokenFilter,
  before?: Place,
): Promise<TokenRow[] | undefined> {
  const { rights, permission } = seeker;
  if (filter.fingerprint === undefined && (filter.data === undefined || !redactsAny(rights, permission))) {
    return undefined;
  }
  const rows = await findTokens(dependencies, seeker, filter, { before, skip: 0, most: countedTo });
  return rows.filter((row) => {
    const token = tokenOf(row);
    const transform = transformFor(rights, permission, token) ?? 'redact';
    return filter.fingerprint === undefined ? transform !== 'redact' : mayKnowFingerprint(token, transform);
  });
}

/** How many there are, exact to {@link countedTo}. */
export async function countFound(
  dependencies: QueryDependencies,
  seeker: Seeker,
  filter: TokenFilter,
): Promise<number> {
  const rows = await dependencies.readModels.rows<{ total: string }>(
    seeker.tenantId,
    { name: 'tokens_counted', text: `select count(*) as total ${found} where tenant.id is not null` },
    await parameters(dependencies, seeker, filter, { skip: 0, most: countedTo }),
  );
  return Number(rows[0]?.total ?? 0);
}

async function parameters(
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
