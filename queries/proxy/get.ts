import { proxyStream } from '#domain/proxy/events.ts';
import { proxyFold } from '#domain/proxy/state.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { latest } from '#queries/latest.ts';
import { proxyColumns, proxyOf, signedRow } from '#queries/proxy/row.ts';
import type { ProxyRow } from '#queries/proxy/row.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';
import { withSecretsOf } from '#src/proxySecrets.ts';
import type { ProxyWithSecrets } from '#src/proxySecrets.ts';
import { isNewest, readSigned } from '#src/signedStreams.ts';

const byId: KeyedQuery = {
  name: 'proxy_by_id',
  text: `select ${proxyColumns} from read_models.proxies as proxy
    where proxy.tenant_id = tenant.id and proxy.id = any($2::uuid[])`,
};

/** One proxy with its secrets. Source: reference of proxies. @throws NotFound */
export async function getProxy(
  dependencies: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<ProxyWithSecrets> {
  if (!isUuid(id)) throw new NotFound();
  const row = await dependencies.readModels.row<ProxyRow>(tenantId, byId, id);
  const isShown = row !== undefined && (await isNewest(dependencies, signedRow(row)));
  const found = isShown ? await withSecretsOf(dependencies.vault, proxyOf(row)) : undefined;
  const proxy = found ?? (await latestProxy(dependencies, tenantId, id));
  if (proxy === undefined) throw new NotFound();
  return proxy;
}

/** See {@link latest}. */
export const latestProxy = (
  dependencies: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<ProxyWithSecrets | undefined> =>
  latest(
    async () => {
      const state = await readSigned(dependencies, proxyStream(tenantId, id.toLowerCase()), proxyFold);
      return state.status === 'live' ? state : undefined;
    },
    (proxy) => withSecretsOf(dependencies.vault, proxy),
  );
