import { reactorStream } from '#domain/reactor/events.ts';
import { signedReactor } from '#domain/reactor/state.ts';
import { latestReactor } from '#queries/reactor/get.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';
import { isNewest, signedStateOf } from '#src/signedStreams.ts';
import type { SignedRow } from '#src/signedStreams.ts';

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
  text: `select reactor.id::text as key, reactor.name, reactor.code_digest, reactor.application_id,
      reactor.payload_id, reactor.revision, reactor.mac
    from read_models.reactors as reactor
    where reactor.tenant_id = tenant.id and reactor.id = any($2::uuid[])`,
};

type Row = SignedRow & {
  key: string;
  name: string;
  code_digest: string;
  application_id: string | null;
  payload_id: string;
};

/** @throws NotFound */
export async function findRunnableReactor(
  dependencies: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<RunnableReactor> {
  if (!isUuid(id)) throw new NotFound();
  const row = await dependencies.readModels.row<Row>(tenantId, byId, id);
  if (row !== undefined) {
    const applicationId = row.application_id ?? undefined;
    const payloadId = row.payload_id;
    const content = signedReactor({ codeDigest: row.code_digest, applicationId, payloadId });
    if (await isNewest(dependencies, signedStateOf(reactorStream(tenantId, row.key), content, row))) {
      return { id: row.key, tenantId, name: row.name, applicationId, payloadId, version: payloadId };
    }
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
