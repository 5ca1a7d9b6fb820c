import type { LiveProxy } from '#domain/proxy/state.ts';
import type { Page, PageRequest, QueryDependencies } from '#queries/dependencies.ts';
import { likePattern } from '#queries/likePattern.ts';
import { readPage } from '#queries/page.ts';
import { latestProxy } from '#queries/proxy/get.ts';
import { proxyColumns, proxyOf, signedRow } from '#queries/proxy/row.ts';
import type { ProxyRow } from '#queries/proxy/row.ts';
import { withSecrets } from '#src/proxySecrets.ts';
import type { ProxyWithSecrets } from '#src/proxySecrets.ts';
import { withoutForged } from '#src/signedStreams.ts';

/** `name` may hold `*` for any characters, or none; case does not matter. */
export type ProxyFilter = { ids?: readonly string[]; name?: string };

/** A page of the tenant's proxies with their secrets, newest first. Source: reference of proxies. */
export async function listProxies(
  dependencies: QueryDependencies,
  tenantId: string,
  { ids, name }: ProxyFilter,
  request: PageRequest,
): Promise<Page<ProxyWithSecrets>> {
  const list = {
    name: 'proxies',
    columns: proxyColumns,
    from: `from read_models.proxies as proxy
      where proxy.tenant_id = tenant.id
      and ($2::text[] is null or proxy.id::text = any($2))
      and ($3::text is null or proxy.name ilike $3)`,
    order: 'proxy.created_at desc, proxy.ordinal desc',
    values: [ids ?? null, name === undefined ? null : likePattern(name)],
  };
  const page = await readPage<ProxyRow>(dependencies.readModels, tenantId, list, request);
  const genuine = await withoutForged(dependencies, page.items, signedRow);
  return { ...page, items: await completed(dependencies, tenantId, genuine.map(proxyOf)) };
}

/** With their secrets; those that were deleted meanwhile are left out. */
async function completed(
  dependencies: QueryDependencies,
  tenantId: string,
  proxies: readonly LiveProxy[],
): Promise<ProxyWithSecrets[]> {
  const found = await withSecrets(dependencies.vault, tenantId, proxies);
  const byId = new Map(found.map((proxy) => [proxy.record.id, proxy]));
  const all = await Promise.all(
    proxies.map(async ({ id }) => byId.get(id) ?? latestProxy(dependencies, tenantId, id)),
  );
  return all.filter((proxy) => proxy !== undefined);
}
