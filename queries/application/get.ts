import { hasExpired } from '#src/expiry.ts';
import { applicationStream } from '#domain/application/events.ts';
import { foldStream } from '#domain/fold.ts';
import { applicationFold } from '#domain/application/state.ts';
import type { LiveApplication } from '#domain/application/state.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';
import { applicationColumns, applicationOf } from '#queries/application/row.ts';
import type { ApplicationRow } from '#queries/application/row.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';

const byId: KeyedQuery = {
  name: 'application_by_id',
  text: `select ${applicationColumns} from read_models.applications as application
    where application.tenant_id = tenant.id and application.id = any($2::uuid[])`,
};

/**
 * One application with its keys, without their secrets. spec: Get an Application
 * @throws NotFound
 */
export async function getApplication(
  { readModels, log, clock }: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<LiveApplication> {
  if (!isUuid(id)) throw new NotFound();
  const row = await readModels.row<ApplicationRow>(tenantId, byId, id);
  const application = row === undefined ? await fold(log, tenantId, id) : applicationOf(row);
  if (hasExpired(application, clock)) throw new NotFound();
  return application;
}

/** The view may be behind: before an application is said not to be there, its stream is asked. */
async function fold(log: QueryDependencies['log'], tenantId: string, id: string): Promise<LiveApplication> {
  const state = foldStream(applicationFold, await log.readStream(applicationStream(tenantId, id)));
  if (state.status !== 'live') throw new NotFound();
  return state;
}
