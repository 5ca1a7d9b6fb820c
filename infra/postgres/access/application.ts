import { applicationStream } from '#domain/application/events.ts';
import type { AccessRule, ApplicationType } from '#domain/application/events.ts';
import { applicationFold } from '#domain/application/state.ts';
import type { LiveApplication } from '#domain/application/state.ts';
import { foldStream } from '#domain/fold.ts';
import { tenantStream } from '#domain/tenant/events.ts';
import { tenantFold } from '#domain/tenant/state.ts';
import type { LiveTenant, TenantSettings } from '#domain/tenant/state.ts';
import type { Known, Lookup } from '#infra/postgres/access/known.ts';
import type { StoredCredential } from '#ports/credentials.ts';
import type { EventLog } from '#ports/eventLog.ts';
import { rowByKey } from '#ports/readModels.ts';
import type { KeyedQuery } from '#ports/readModels.ts';

/** The caller's tenant, as `owner`. */
export const ownTenant =
  'lateral (select * from read_models.tenants as own where own.id = tenant.id offset 0) as owner';

const keyAndRights: KeyedQuery = {
  name: 'access_by_key',
  text: `select key.id::text as key, application.type, application.permissions, application.rules,
      application.expires_on, application.public_fingerprints, owner.settings
    from unnest($2::uuid[]) as wanted (id)
    cross join ${rowByKey('read_models.application_keys', 'wanted.id')} as key
    cross join ${rowByKey('read_models.applications', 'key.application_id')} as application
    cross join ${ownTenant}`,
};

/** An application's rights as the views have them. */
export type RightsRow = {
  key: string;
  type: ApplicationType;
  permissions: string[];
  rules: AccessRule[];
  public_fingerprints: boolean;
  expires_on: Date | null;
  settings: TenantSettings;
};

/** The application behind one of its keys. */
export async function findApplication(
  { readModels, log }: Lookup,
  credential: StoredCredential,
): Promise<Known | undefined> {
  const { tenantId, applicationId, keyId } = credential;
  const row = await readModels.row<RightsRow>(tenantId, keyAndRights, keyId);
  if (row !== undefined) return knownByRow(credential, row);
  // The view may be behind a key that was made a moment ago: its stream is asked before it is turned away.
  const application = await foldApplication(log, tenantId, applicationId);
  const tenant = await foldTenant(log, tenantId);
  if (tenant === undefined || application?.keys.some(({ id }) => id === keyId) !== true) return undefined;
  return knownByFold(credential, application, tenant);
}

export const knownByRow = (
  credential: StoredCredential,
  { type, permissions, rules, settings, expires_on, public_fingerprints }: RightsRow,
): Known => ({
  caller: {
    ...credential,
    type,
    permissions,
    rules,
    tenantSettings: settings,
    publicFingerprints: public_fingerprints,
  },
  expiresAt: expires_on?.getTime(),
  dependsOn: [credential.applicationId, credential.tenantId],
});

export const knownByFold = (
  credential: StoredCredential,
  { type, permissions, rules, expiresAt, publicFingerprints }: LiveApplication,
  { settings }: LiveTenant,
): Known => ({
  caller: { ...credential, type, permissions, rules, tenantSettings: settings, publicFingerprints },
  expiresAt: expiresAt === undefined ? undefined : Date.parse(expiresAt),
  dependsOn: [credential.applicationId, credential.tenantId],
});

export async function foldApplication(
  log: EventLog,
  tenantId: string,
  id: string,
): Promise<LiveApplication | undefined> {
  const state = foldStream(applicationFold, await log.readStream(applicationStream(tenantId, id)));
  return state.status === 'live' ? state : undefined;
}

export async function foldTenant(log: EventLog, tenantId: string): Promise<LiveTenant | undefined> {
  const state = foldStream(tenantFold, await log.readStream(tenantStream(tenantId)));
  return state.status === 'live' ? state : undefined;
}
