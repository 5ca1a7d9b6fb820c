import type { LiveConnection } from '#domain/connection/state.ts';
import { connectionColumns, connectionOf } from '#queries/connection/row.ts';
import type { ConnectionRow } from '#queries/connection/row.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';

const all = {
  name: 'connections',
  text: `select ${connectionColumns} from read_models.connections as connection
    where connection.tenant_id = tenant.id order by connection.created_at desc, connection.ordinal desc`,
};

/** All connections of the tenant, newest first. spec: List Connections @throws StoreUnavailable */
export async function listConnections(
  { readModels }: QueryDependencies,
  tenantId: string,
): Promise<LiveConnection[]> {
  return (await readModels.rows<ConnectionRow>(tenantId, all)).map(connectionOf);
}
