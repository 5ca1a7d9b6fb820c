import type { ApplicationKey, LiveApplication } from '#domain/application/state.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';

/**
 * An application as it goes out. spec: Application
 * @param key the secret of its first key, on creation only
 */
export function presentApplication(application: LiveApplication, key?: string): object {
  return withoutNulls({
    ...membersOf(application),
    key,
    keys: application.keys.map((entry) => presentKey(application.tenantId, entry, key)),
  });
}

/** An application inside of what uses it: without its keys. spec: Reactor */
export const presentUsedApplication = (application: LiveApplication): object =>
  withoutNulls(membersOf(application));

const membersOf = (application: LiveApplication) => ({
  id: application.id,
  tenant_id: application.tenantId,
  name: application.name,
  type: application.type,
  permissions: application.permissions,
  rules: application.rules,
  public_fingerprints: application.publicFingerprints ? true : undefined,
  origins: application.origins.length > 0 ? application.origins : undefined,
  expires_at: application.expiresAt,
  created_by: application.createdBy,
  created_at: application.createdAt,
  modified_by: application.modifiedBy,
  modified_at: application.modifiedAt,
});

/** An entry of an application's keys; with its secret only when it was made by this very request. */
export function presentKey(tenantId: string, entry: ApplicationKey, key?: string): object {
  return withoutNulls({
    id: entry.id,
    tenant_id: tenantId,
    key,
    created_by: entry.createdBy,
    created_at: entry.createdAt,
    last_used_at: entry.lastUsedAt,
  });
}
