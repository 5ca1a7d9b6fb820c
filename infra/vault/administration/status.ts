import type { Administration } from '#infra/vault/administration/administration.ts';
import { silence } from '#infra/vault/keys/processes.ts';

export type KeyStatus = {
  /** The root key that wraps new keys, by its check value. */
  rootKey: string;
  /** How many keys are wrapped under each root key. */
  rootKeys: { name: string; keys: number }[];
  /** Processes that were heard of in the last minute, and whether they know the newest keys. */
  processes: { id: string; upToDate: boolean; seenAt: Date }[];
  dataKeys: DataKeyStatus[];
};

export type DataKeyStatus = {
  tenantId: string;
  version: number;
  state: 'active' | 'decrypt_only' | 'retired';
  createdAt: Date;
  /** Payloads that are encrypted under it. */
  payloads: number;
  /** Those of them that an earlier version of the service sealed, and that `keys rewrap` is to bind to their records. */
  unbound: number;
};

export async function keyStatus({ pool, keyProvider }: Administration): Promise<KeyStatus> {
  const [rootKey, rootKeys, processes, dataKeys] = await Promise.all([
    keyProvider.rootKey(),
    pool.query<{ name: string; keys: number }>(`
      select root_key as name, count(*)::int4 as keys from (
        select root_key from vault.tenant_keys
        union all select root_key from vault.system_keys
        union all select root_key from vault.root_key_check
      ) wrapped group by root_key order by root_key`),
    pool.query<{ id: string; upToDate: boolean; seenAt: Date }>(`
      select process_id as id, p.generation >= s.generation as "upToDate", seen_at as "seenAt"
      from vault.key_processes p cross join vault.key_state s
      where seen_at > now() - interval '${silence} seconds' order by process_id`),
    pool.query<DataKeyStatus>(`
      select k.tenant_id as "tenantId", k.version, k.state, k.created_at as "createdAt",
        coalesce(p.payloads, 0) as payloads, coalesce(p.unbound, 0) as unbound
      from vault.tenant_keys k
      left join (
        select tenant_id, key_version, count(*)::int4 as payloads, count(wrapped_key)::int4 as unbound from vault.payloads group by 1, 2
      ) p on p.tenant_id = k.tenant_id and p.key_version = k.version
      where k.purpose = 'data' order by k.tenant_id, k.version`),
  ]);
  return { rootKey, rootKeys: rootKeys.rows, processes: processes.rows, dataKeys: dataKeys.rows };
}
