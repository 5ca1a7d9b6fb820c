import type { LiveReactor } from '#domain/reactor/state.ts';
import type { Page, PageRequest, QueryDependencies } from '#queries/dependencies.ts';
import { likePattern } from '#queries/likePattern.ts';
import { readPage } from '#queries/page.ts';
import { latestReactor } from '#queries/reactor/get.ts';
import { reactorColumns, reactorOf, signedRow } from '#queries/reactor/row.ts';
import type { ReactorRow } from '#queries/reactor/row.ts';
import { withConfigurations } from '#src/configurations.ts';
import type { WithConfiguration } from '#src/configurations.ts';
import { withoutForged } from '#src/signedStreams.ts';

/** `name` may hold `*` for any characters, or none; case does not matter. */
export type ReactorFilter = { ids?: readonly string[]; name?: string };

/** A page of the tenant's reactors with their configurations, newest first. spec: List Reactors */
export async function listReactors(
  dependencies: QueryDependencies,
  tenantId: string,
  { ids, name }: ReactorFilter,
  request: PageRequest,
): Promise<Page<WithConfiguration<LiveReactor>>> {
  const list = {
    name: 'reactors',
    columns: reactorColumns,
    from: `from read_models.reactors as reactor
      where reactor.tenant_id = tenant.id
      and ($2::text[] is null or reactor.id::text = any($2))
      and ($3::text is null or reactor.name ilike $3)`,
    order: 'reactor.created_at desc, reactor.ordinal desc',
    values: [ids ?? null, name === undefined ? null : likePattern(name)],
  };
  const page = await readPage<ReactorRow>(dependencies.readModels, tenantId, list, request);
  const genuine = await withoutForged(dependencies, page.items, signedRow);
  return { ...page, items: await configured(dependencies, tenantId, genuine.map(reactorOf)) };
}

/** With their configurations; those that were deleted meanwhile are left out. */
async function configured(
  dependencies: QueryDependencies,
  tenantId: string,
  reactors: readonly LiveReactor[],
): Promise<WithConfiguration<LiveReactor>[]> {
  const found = await withConfigurations(dependencies.vault, tenantId, reactors);
  const byId = new Map(found.map((reactor) => [reactor.record.id, reactor]));
  const all = await Promise.all(
    reactors.map(async ({ id }) => byId.get(id) ?? latestReactor(dependencies, tenantId, id)),
  );
  return all.filter((reactor) => reactor !== undefined);
}
