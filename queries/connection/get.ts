import { connectionStream } from '#domain/connection/events.ts';
import { connectionFold } from '#domain/connection/state.ts';
import type { ConnectionState, LiveConnection, PayingConnection } from '#domain/connection/state.ts';
import { foldStream } from '#domain/fold.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import { connectionColumns, connectionOf } from '#queries/connection/row.ts';
import type { ConnectionRow } from '#queries/connection/row.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';
import { fieldsIn } from '#src/orchestration/connectionFields.ts';

const byId: KeyedQuery = {
  name: 'connection_by_id',
  text: `select ${connectionColumns} from read_models.connections as connection
    where connection.tenant_id = tenant.id and connection.id = any($2::uuid[])`,
};

/**
 * One connection. One that is pending is looked at in its stream, as the check may have ended a moment ago: whoever
 * waits for its end asks again and again.
 * @throws NotFound, StoreUnavailable
 */
export async function getConnection(
  dependencies: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<LiveConnection> {
  if (!isUuid(id)) throw new NotFound();
  const row = await dependencies.readModels.row<ConnectionRow>(tenantId, byId, id.toLowerCase());
  return row === undefined || row.status === 'pending'
    ? latestConnection(dependencies, tenantId, id.toLowerCase())
    : connectionOf(row);
}

/**
 * The values of its fields, secret ones too, by their keys. They are for calls of the provider, and nothing else.
 * @throws NotFound when the connection is gone; StoreUnavailable, IntegrityError, TenantKeysMissing
 */
export async function connectionFields(
  dependencies: QueryDependencies,
  connection: PayingConnection,
): Promise<Readonly<Record<string, string>>> {
  const { tenantId, id } = connection;
  const fields =
    (await fieldsIn(dependencies.vault, connection)) ??
    // They were replaced under our eyes.
    (await fieldsIn(dependencies.vault, await payingIn(dependencies, tenantId, id)));
  if (fields === undefined) throw new NotFound();
  return fields;
}

/**
 * The connection that a payment was begun through, as long as its provider can be called: also when it was deleted.
 * @throws NotFound, StoreUnavailable
 */
export async function getPayingConnection(
  dependencies: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<PayingConnection> {
  if (!isUuid(id)) throw new NotFound();
  const row = await dependencies.readModels.row<ConnectionRow>(tenantId, byId, id.toLowerCase());
  return row === undefined ? payingIn(dependencies, tenantId, id.toLowerCase()) : connectionOf(row);
}

async function latestConnection(
  dependencies: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<LiveConnection> {
  const state = await stateOf(dependencies, tenantId, id);
  if (state.status !== 'live') throw new NotFound();
  return state;
}

async function payingIn(
  dependencies: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<PayingConnection> {
  const state = await stateOf(dependencies, tenantId, id);
  if (state.status !== 'live' && state.status !== 'deleted') throw new NotFound();
  return state;
}

const stateOf = async ({ log }: QueryDependencies, tenantId: string, id: string): Promise<ConnectionState> =>
  foldStream(connectionFold, await log.readStream(connectionStream(tenantId, id)));
