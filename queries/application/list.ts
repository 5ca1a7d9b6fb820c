import type { LiveApplication } from '#domain/application/state.ts';
import { applicationColumns, applicationOf } from '#queries/application/row.ts';
import type { ApplicationRow } from '#queries/application/row.ts';
import type { Page, PageRequest, QueryDependencies } from '#queries/dependencies.ts';

export type ApplicationFilter = { ids?: readonly string[]; types?: readonly string[] };

const from = `from read_models.applications as application
  where application.tenant_id = tenant.id
  and (application.expires_on is null or application.expires_on > $2)
  and ($3::text[] is null or application.id::text = any($3))
  and ($4::text[] is null or application.type = any($4))`;

/** A page of the tenant's applications, newest first. spec: List Applications */
export async function listApplications(
  { readModels, clock }: QueryDependencies,
  tenantId: string,
  filter: ApplicationFilter,
  { page, size }: PageRequest,
): Promise<Page<LiveApplication>> {
  const values = [clock.now(), filter.ids ?? null, filter.types ?? null];
  const [rows, counts] = await Promise.all([
    readModels.rows<ApplicationRow>(
      tenantId,
      {
        name: 'applications',
        text: `select ${applicationColumns} ${from}
          order by application.created_at desc, application.ordinal desc limit $5 offset $6`,
      },
      [...values, size, (page - 1) * size],
    ),
    readModels.rows<{ total: string }>(
      tenantId,
      { name: 'applications_count', text: `select count(*) as total ${from}` },
      values,
    ),
  ]);
  return { items: rows.map(applicationOf), totalItems: Number(counts[0]?.total ?? 0), page, size };
}
