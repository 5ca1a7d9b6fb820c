import { applicationStream } from '#domain/application/events.ts';
import { applicationFold, signedApplication } from '#domain/application/state.ts';
import type { LiveApplication } from '#domain/application/state.ts';
import { tenantStream } from '#domain/tenant/events.ts';
import { signedTenant, tenantFold } from '#domain/tenant/state.ts';
import type { LiveTenant } from '#domain/tenant/state.ts';
import type { Lookup } from '#infra/postgres/access/known.ts';
import { isNewest, readSigned, signedStateOf } from '#src/signedStreams.ts';
import type { SignedRow } from '#src/signedStreams.ts';

/** What an application may do, and the ids of its keys. */
export type Rights = Pick<
  LiveApplication,
  'type' | 'permissions' | 'rules' | 'everyPermission' | 'publicFingerprints' | 'origins' | 'expiresAt'
> & { keys: readonly { id: string }[] };

/** {@link rightsColumn} as it comes. */
export type RightsColumn = SignedRow &
  Pick<LiveApplication, 'id' | 'type' | 'permissions' | 'rules'> & {
    every_permission: boolean;
    public_fingerprints: boolean;
    origins: string[] | null;
    expires_at: string | null;
    keys: { id: string }[];
  };

/** {@link ownerColumn} as it comes. */
export type OwnerColumn = SignedRow & Pick<LiveTenant, 'settings'>;

/** SQL of a row of `read_models.applications` with all that is signed of it. */
export const rightsColumn = (row: string): string => `json_build_object(
  'id', ${row}.id, 'type', ${row}.type, 'permissions', ${row}.permissions, 'rules', ${row}.rules,
  'every_permission', ${row}.every_permission, 'public_fingerprints', ${row}.public_fingerprints, 'origins', ${row}.origins,
  'expires_at', ${row}.expires_at, 'revision', ${row}.revision::text, 'mac', ${row}.mac,
  'keys', (select coalesce(json_agg(json_build_object('id', key.id)), '[]') from read_models.application_keys as key
    where key.tenant_id = tenant.id and key.application_id = ${row}.id))`;

/** SQL of what is signed of the caller's tenant, to be selected from {@link ownTenant}. */
export const ownerColumn =
  "json_build_object('settings', owner.settings, 'revision', owner.revision::text, 'mac', owner.mac)";

/** The caller's tenant, as `owner`. */
export const ownTenant =
  'lateral (select * from read_models.tenants as own where own.id = tenant.id offset 0) as owner';

/**
 * The rights of an application: those of its row, where that is as new as its stream, else those of the stream.
 * Undefined: there is none. @throws IntegrityError where they are not those that were signed
 */
export async function rightsOf(
  lookup: Lookup,
  tenantId: string,
  id: string,
  row: RightsColumn | undefined,
): Promise<Rights | undefined> {
  const stream = applicationStream(tenantId, id);
  if (row !== undefined) {
    const rights = rightsIn(row);
    if (await isNewest(lookup, signedStateOf(stream, signedApplication(rights), row))) return rights;
  }
  const state = await readSigned(lookup, stream, applicationFold);
  return state.status === 'live' ? state : undefined;
}

const rightsIn = (row: RightsColumn): Rights => ({
  type: row.type,
  permissions: row.permissions,
  rules: row.rules,
  everyPermission: row.every_permission,
  publicFingerprints: row.public_fingerprints,
  origins: row.origins ?? [],
  expiresAt: row.expires_at ?? undefined,
  keys: row.keys,
});

/** As {@link rightsOf}, of the settings of a tenant. @throws IntegrityError */
export async function settingsOf(
  lookup: Lookup,
  tenantId: string,
  row: OwnerColumn | undefined,
): Promise<LiveTenant['settings'] | undefined> {
  const stream = tenantStream(tenantId);
  if (row !== undefined && (await isNewest(lookup, signedStateOf(stream, signedTenant(row), row)))) {
    return row.settings;
  }
  const state = await readSigned(lookup, stream, tenantFold);
  return state.status === 'live' ? state.settings : undefined;
}
