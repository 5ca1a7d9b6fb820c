import type { QueryDependencies } from '#queries/dependencies.ts';

/** What a tenant holds and uses. */
export type Usage = {
  byType: { type: string; count: number; lastCreatedAt: Date }[];
  totalTokens: number;
  /** Tokens that were created, read or changed since the first of the month (UTC), up to about a minute ago. */
  monthlyActiveTokens: number;
};

type CountRow = { type: string; tokens: string; created_at: Date };

/** Source: reference of tenants, usage report. */
export async function getUsage(
  { readModels, clock }: Pick<QueryDependencies, 'readModels' | 'clock'>,
  tenantId: string,
): Promise<Usage> {
  const [counts, active] = await Promise.all([
    readModels.rows<CountRow>(tenantId, {
      name: 'usage_by_type',
      text: `select counted.type, counted.tokens, newest.created_at
        from read_models.token_type_counts as counted
        join read_models.token_type_newest as newest using (tenant_id, type)
        where counted.tenant_id = tenant.id order by counted.type`,
    }),
    readModels.rows<{ tokens: string }>(
      tenantId,
      {
        name: 'active_tokens',
        text: `select count(*) as tokens from work.active_tokens as active
          where active.tenant_id = tenant.id and active.month = $2::date`,
      },
      [`${clock.now().toISOString().slice(0, 7)}-01`],
    ),
  ]);
  const byType = counts.map((row) => ({
    type: row.type,
    count: Number(row.tokens),
    lastCreatedAt: row.created_at,
  }));
  return {
    byType,
    totalTokens: byType.reduce((total, { count }) => total + count, 0),
    monthlyActiveTokens: Number(active[0]?.tokens ?? 0),
  };
}
