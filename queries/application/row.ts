import { applicationStream } from '#domain/application/events.ts';
import type { AccessRule, ApplicationType } from '#domain/application/events.ts';
import type { LiveApplication } from '#domain/application/state.ts';
import { signedApplication } from '#domain/application/state.ts';
import { authorshipOf } from '#queries/authorship.ts';
import type { AuthorshipRow } from '#queries/authorship.ts';
import { signedStateOf } from '#src/signedStreams.ts';
import type { SignedRow } from '#src/signedStreams.ts';
import type { SignedState } from '#ports/stateSigner.ts';

type KeyRow = {
  id: string;
  created_by: string | null;
  created_at: string;
  last_used_at: string | null;
};

/** A row of the view of applications, with its keys. */
export type ApplicationRow = AuthorshipRow &
  SignedRow & {
    key: string;
    tenant_id: string;
    name: string;
    type: ApplicationType;
    permissions: string[];
    rules: AccessRule[];
    every_permission: boolean;
    public_fingerprints: boolean;
    origins: string[] | null;
    expires_at: string | null;
    keys: KeyRow[];
  };

export const applicationColumns = `application.id::text as key, application.tenant_id, application.name,
  application.type, application.permissions, application.rules, application.every_permission, application.public_fingerprints,
  application.origins,  application.expires_at, application.revision, application.mac, application.created_by, application.created_at, application.modified_by,
  application.modified_at, (
    select coalesce(json_agg(json_build_object(
      'id', key.id, 'created_by', key.created_by, 'created_at', key.created_at,
      'last_used_at', (select used.last_used_at from work.key_uses as used
        where used.tenant_id = tenant.id and used.key_id = key.id)
    ) order by key.ordinal), '[]') from read_models.application_keys as key
    where key.tenant_id = tenant.id and key.application_id = application.id
  ) as keys`;

export function applicationOf(row: ApplicationRow): LiveApplication {
  return {
    status: 'live',
    id: row.key,
    tenantId: row.tenant_id,
    name: row.name,
    type: row.type,
    permissions: row.permissions,
    rules: row.rules,
    everyPermission: row.every_permission,
    publicFingerprints: row.public_fingerprints,
    origins: row.origins ?? [],
    expiresAt: row.expires_at ?? undefined,
    keys: row.keys.map((key) => ({
      id: key.id,
      createdBy: key.created_by ?? undefined,
      createdAt: new Date(key.created_at).toISOString(),
      lastUsedAt: key.last_used_at === null ? undefined : new Date(key.last_used_at).toISOString(),
    })),
    ...authorshipOf(row),
  };
}

/** What of a row is signed. */
export const signedRow = (row: ApplicationRow): SignedState =>
  signedStateOf(applicationStream(row.tenant_id, row.key), signedApplication(applicationOf(row)), row);
