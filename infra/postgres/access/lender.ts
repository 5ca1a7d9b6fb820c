import {
  foldApplication,
  foldTenant,
  knownByFold,
  knownByRow,
  ownTenant,
} from '#infra/postgres/access/application.ts';
import type { RightsRow } from '#infra/postgres/access/application.ts';
import type { Known, Lookup } from '#infra/postgres/access/known.ts';
import { rowByKey } from '#ports/readModels.ts';
import type { KeyedQuery } from '#ports/readModels.ts';

const rights: KeyedQuery = {
  name: 'access_by_application',
  text: `select application.id::text as key, application.type, application.permissions, application.rules,
      application.expires_on, application.public_fingerprints, owner.settings
    from unnest($2::uuid[]) as wanted (id)
    cross join ${rowByKey('read_models.applications', 'wanted.id')} as application
    cross join ${ownTenant}`,
};

/** An application that lends its rights to code, for which no key is needed. */
export async function findLender(
  { readModels, log }: Lookup,
  tenantId: string,
  applicationId: string,
): Promise<Known | undefined> {
  const lender = { tenantId, applicationId, keyId: '' };
  const row = await readModels.row<RightsRow>(tenantId, rights, applicationId);
  if (row !== undefined) return knownByRow(lender, row);
  // The view may be behind an application that was made a moment ago.
  const [application, tenant] = await Promise.all([
    foldApplication(log, tenantId, applicationId),
    foldTenant(log, tenantId),
  ]);
  if (application === undefined || tenant === undefined) return undefined;
  return knownByFold(lender, application, tenant);
}
