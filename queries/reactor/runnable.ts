import { latestReactor } from '#queries/reactor/get.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';

/** What must be known of a reactor to run what may be loaded already: not its code, nor its configuration. */
export type RunnableReactor = {
  id: string;
  tenantId: string;
  name: string;
  applicationId: string | undefined;
  /** Where its configuration lies. */
  payloadId: string;
  /** Another one whenever something of it has changed. */
  version: string;
};

const byId: KeyedQuery = {
  name: 'runnable_reactor_by_id',
  text: `select reactor.id::text as key, reactor.name, reactor.application_id, reactor.payload_id
    from read_models.reactors as reactor
    where reactor.tenant_id = tenant.id and reactor.id = any($2::uuid[])`,
};

type Row = { key: string; name: string; application_id: string | null; payload_id: string };

/** @throws NotFound */
export async function findRunnableReactor(
  dependencies: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<RunnableReactor> {
  if (!isUuid(id)) throw new NotFound();
  const row = await dependencies.readModels.row<Row>(tenantId, byId, id);
  if (row !== undefined) {
    return {
      id: row.key,
      tenantId,
      name: row.name,
      applicationId: row.application_id ?? undefined,
      payloadId: row.payload_id,
      version: row.payload_id,
    };
  }
  const record = (await latestReactor(dependencies, tenantId, id))?.record;
  if (record === undefined) throw new NotFound();
  return {
    id: record.id,
    tenantId,
    name: record.name,
    applicationId: record.applicationId,
    payloadId: record.payloadId,
    version: record.payloadId,
  };
}
