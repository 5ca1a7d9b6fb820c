import { knownBy } from '#infra/postgres/access/application.ts';
import type { Known, Lookup } from '#infra/postgres/access/known.ts';
import { ownerColumn, ownTenant, rightsColumn, rightsOf, settingsOf } from '#infra/postgres/access/rights.ts';
import type { OwnerColumn, RightsColumn } from '#infra/postgres/access/rights.ts';
import { rowByKey } from '#ports/readModels.ts';
import type { KeyedQuery } from '#ports/readModels.ts';

const rightsById: KeyedQuery = {
  name: 'access_by_application',
  text: `select application.id::text as key, ${rightsColumn('application')} as rights, ${ownerColumn} as owner
    from unnest($2::uuid[]) as wanted (id)
    cross join ${rowByKey('read_models.applications', 'wanted.id')} as application
    cross join ${ownTenant}`,
};

type Row = { key: string; rights: RightsColumn; owner: OwnerColumn };

/** An application that lends its rights to code, for which no key is needed. @throws IntegrityError */
export async function findLender(
  lookup: Lookup,
  tenantId: string,
  applicationId: string,
): Promise<Known | undefined> {
  const row = await lookup.readModels.row<Row>(tenantId, rightsById, applicationId);
  const [rights, settings] = await Promise.all([
    rightsOf(lookup, tenantId, applicationId, row?.rights),
    settingsOf(lookup, tenantId, row?.owner),
  ]);
  if (rights === undefined || settings === undefined) return undefined;
  return knownBy({ tenantId, applicationId, keyId: '' }, rights, settings);
}
