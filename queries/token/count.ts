import { listedFor } from '#access/listed.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { isUnfiltered } from '#queries/token/filter.ts';
import type { TokenFilter } from '#queries/token/filter.ts';
import { countFound } from '#queries/token/find.ts';
import type { Seeker } from '#queries/token/find.ts';

/**
 * How many tokens the caller may see: without a filter from the counters, exact whatever their number; with one
 * exact to 10,000, which then stands for that many or more. Source: reference of pagination, `total_items`.
 */
export function countTokens(
  dependencies: QueryDependencies,
  seeker: Seeker,
  filters: readonly TokenFilter[],
): Promise<number> {
  const { containers, grants } = listedFor(seeker.rights, seeker.permission);
  const isCounted = isUnfiltered(filters) && grants === undefined;
  return isCounted
    ? countAll(dependencies, seeker.tenantId, containers)
    : countFound(dependencies, seeker, filters);
}

/** Tokens whose time has come are counted until they are deleted: they are taken off again. */
async function countAll(
  { readModels, clock }: QueryDependencies,
  tenantId: string,
  containers: readonly string[] | undefined,
): Promise<number> {
  const rows = await readModels.rows<{ total: string }>(
    tenantId,
    {
      name: 'tokens_total',
      text: `select coalesce(sum(counted.tokens), 0) - (
          select count(*) from read_models.tokens as token
          where token.tenant_id = tenant.id and token.expires_on <= $2
            and ($3::text[] is null or exists (
              select from unnest(token.containers) own, unnest($3::text[]) granted where starts_with(own, granted)))
        ) as total
        from read_models.token_counts as counted
        where counted.tenant_id = tenant.id
          and ($3::text[] is null or exists (
            select from string_to_table(counted.containers, ' ') own, unnest($3::text[]) granted
            where starts_with(own, granted)))`,
    },
    [clock.now(), containers ?? null],
  );
  return Number(rows[0]?.total ?? 0);
}
