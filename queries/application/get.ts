import { hasExpired } from '#src/expiry.ts';
import { applicationStream } from '#domain/application/events.ts';
import { applicationFold } from '#domain/application/state.ts';
import type { LiveApplication } from '#domain/application/state.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';
import { isNewest, readSigned } from '#src/signedStreams.ts';
import { applicationColumns, applicationOf, signedRow } from '#queries/application/row.ts';
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
  dependencies: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<LiveApplication> {
  if (!isUuid(id)) throw new NotFound();
  const stream = applicationStream(tenantId, id.toLowerCase());
  const row = await dependencies.readModels.row<ApplicationRow>(tenantId, byId, id);
  const isShown = row !== undefined && (await isNewest(dependencies, signedRow(row)));
  const application = isShown ? applicationOf(row) : await fold(dependencies, stream);
  if (hasExpired(application, dependencies.clock)) throw new NotFound();
  return application;
}

/** The view may be behind: before an application is said not to be there, its stream is asked. */
async function fold(dependencies: QueryDependencies, stream: string): Promise<LiveApplication> {
  const state = await readSigned(dependencies, stream, applicationFold);
  if (state.status !== 'live') throw new NotFound();
  return state;
}
