import type { AccessRule, ApplicationType } from '#domain/application/events.ts';
import type { TenantSettings } from '#domain/tenant/state.ts';
import { foldApplication, foldTenant } from '#infra/postgres/access/application.ts';
import type { Known, Lookup } from '#infra/postgres/access/known.ts';
import type { KeyedQuery } from '#ports/readModels.ts';

const rights: KeyedQuery = {
  name: 'access_by_application',
  text: `select application.id::text as key, application.type, application.permissions, application.rules,
      application.expires_on, owner.settings
    from read_models.applications as application
    join read_models.tenants as owner on owner.id = tenant.id
    where application.tenant_id = tenant.id and application.id = any($2::uuid[])`,
};

type Row = {
  key: string;
  type: ApplicationType;
  permissions: string[];
  rules: AccessRule[];
  expires_on: Date | null;
  settings: TenantSettings;
};

/** An application that lends its rights to code, for which no key is needed. */
export async function findLender(
  { readModels, log }: Lookup,
  tenantId: string,
  applicationId: string,
): Promise<Known | undefined> {
  const found = { tenantId, applicationId, keyId: '' };
  const dependsOn = [applicationId, tenantId];
  const row = await readModels.row<Row>(tenantId, rights, applicationId);
  if (row !== undefined) {
    const { type, permissions, rules, settings, expires_on } = row;
    return {
      caller: { ...found, type, permissions, rules, tenantSettings: settings },
      expiresAt: expires_on?.getTime(),
      dependsOn,
    };
  }
  // The view may be behind an application that was made a moment ago.
  const [application, tenant] = await Promise.all([
    foldApplication(log, tenantId, applicationId),
    foldTenant(log, tenantId),
  ]);
  if (application === undefined || tenant === undefined) return undefined;
  const { type, permissions, rules, expiresAt } = application;
  return {
    caller: { ...found, type, permissions, rules, tenantSettings: tenant.settings },
    expiresAt: expiresAt === undefined ? undefined : Date.parse(expiresAt),
    dependsOn,
  };
}
