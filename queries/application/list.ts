import type { LiveApplication } from '#domain/application/state.ts';
import { applicationColumns, applicationOf, signedRow } from '#queries/application/row.ts';
import type { ApplicationRow } from '#queries/application/row.ts';
import type { Page, PageRequest, QueryDependencies } from '#queries/dependencies.ts';
import { readPage } from '#queries/page.ts';
import { withoutForged } from '#src/signedStreams.ts';

export type ApplicationFilter = { ids?: readonly string[]; types?: readonly string[] };

/** A page of the tenant's applications, newest first. spec: List Applications */
export async function listApplications(
  { readModels, clock, stateSigner }: QueryDependencies,
  tenantId: string,
  filter: ApplicationFilter,
  request: PageRequest,
): Promise<Page<LiveApplication>> {
  const list = {
    name: 'applications',
    columns: applicationColumns,
    from: `from read_models.applications as application
      where application.tenant_id = tenant.id
      and (application.expires_on is null or application.expires_on > $2)
      and ($3::text[] is null or application.id::text = any($3))
      and ($4::text[] is null or application.type = any($4))`,
    order: 'application.created_at desc, application.ordinal desc',
    values: [clock.now(), filter.ids ?? null, filter.types ?? null],
  };
  const page = await readPage<ApplicationRow>(readModels, tenantId, list, request);
  const genuine = await withoutForged({ stateSigner }, page.items, signedRow);
  return { ...page, items: genuine.map(applicationOf) };
}
