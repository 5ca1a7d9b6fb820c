import type { TenantSettings } from '#domain/tenant/state.ts';
import type { Known, Lookup } from '#infra/postgres/access/known.ts';
import { ownerColumn, ownTenant, rightsColumn, rightsOf, settingsOf } from '#infra/postgres/access/rights.ts';
import type { OwnerColumn, Rights, RightsColumn } from '#infra/postgres/access/rights.ts';
import type { StoredCredential } from '#ports/credentials.ts';
import { rowByKey } from '#ports/readModels.ts';
import type { KeyedQuery } from '#ports/readModels.ts';

const rightsByKey: KeyedQuery = {
  name: 'access_by_key',
  text: `select presented.id::text as key, ${rightsColumn('application')} as rights, ${ownerColumn} as owner
    from unnest($2::uuid[]) as wanted (id)
    cross join ${rowByKey('read_models.application_keys', 'wanted.id')} as presented
    cross join ${rowByKey('read_models.applications', 'presented.application_id')} as application
    cross join ${ownTenant}`,
};

type Row = { key: string; rights: RightsColumn; owner: OwnerColumn };

/**
 * The application behind one of its keys. The view may be behind a key that was made a moment ago: its stream is asked
 * before it is turned away. @throws IntegrityError
 */
export async function findApplication(
  lookup: Lookup,
  credential: StoredCredential,
): Promise<Known | undefined> {
  const { tenantId, applicationId, keyId } = credential;
  const row = await lookup.readModels.row<Row>(tenantId, rightsByKey, keyId);
  // Whatever the view says that the key belongs to: the credential is signed.
  const rightsRow = row?.rights.id === applicationId ? row.rights : undefined;
  const [rights, settings] = await Promise.all([
    rightsOf(lookup, tenantId, applicationId, rightsRow),
    settingsOf(lookup, tenantId, row?.owner),
  ]);
  if (rights?.keys.some(({ id }) => id === keyId) !== true || settings === undefined) return undefined;
  return knownBy(credential, rights, settings);
}

export const knownBy = (
  credential: StoredCredential,
  { type, permissions, rules, expiresAt, publicFingerprints, origins }: Rights,
  tenantSettings: TenantSettings,
): Known => ({
  caller: { ...credential, type, permissions, rules, tenantSettings, publicFingerprints, origins },
  expiresAt: expiresAt === undefined ? undefined : Date.parse(expiresAt),
  dependsOn: [credential.applicationId, credential.tenantId],
});
