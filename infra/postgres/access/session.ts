import type { AccessRule } from '#domain/application/events.ts';
import { foldStream } from '#domain/fold.ts';
import { sessionStream } from '#domain/session/events.ts';
import type { SessionRule } from '#domain/session/events.ts';
import { sessionFold } from '#domain/session/state.ts';
import type { TenantSettings } from '#domain/tenant/state.ts';
import { foldApplication, foldTenant, ownTenant } from '#infra/postgres/access/application.ts';
import type { Known, Lookup } from '#infra/postgres/access/known.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { StoredCredential } from '#ports/credentials.ts';
import { rowByKey } from '#ports/readModels.ts';
import type { KeyedQuery } from '#ports/readModels.ts';

/** A session ends with the application that opened it, and with the one that vouches for it. */
const sessionAndRights: KeyedQuery = {
  name: 'access_by_session',
  text: `select session.id::text as key, session.permissions, session.rules, session.authorized_by,
      voucher.permissions as lent_permissions, voucher.rules as lent_rules, owner.settings,
      opener.public_fingerprints,
      least(session.expires_on, opener.expires_on, voucher.expires_on) as expires_on
    from unnest($2::uuid[]) as wanted (id)
    cross join ${rowByKey('read_models.sessions', 'wanted.id')} as session
    cross join ${rowByKey('read_models.applications', 'session.application_id')} as opener
    cross join ${rowByKey('read_models.applications', 'session.authorized_by')} as voucher
    cross join ${ownTenant}`,
};

type Row = {
  key: string;
  permissions: string[];
  rules: SessionRule[];
  authorized_by: string;
  lent_permissions: string[];
  lent_rules: AccessRule[];
  settings: TenantSettings;
  public_fingerprints: boolean;
  expires_on: Date;
};

/** Who a session's key stands for; nobody until the session is authorized. */
export async function findSession(
  { readModels, log }: Lookup,
  credential: StoredCredential,
): Promise<Known | undefined> {
  const { tenantId, keyId } = credential;
  const row = await readModels.row<Row>(tenantId, sessionAndRights, keyId);
  if (row !== undefined) {
    return known(credential, {
      held: row,
      voucherId: row.authorized_by,
      within: { permissions: row.lent_permissions, rules: row.lent_rules },
      tenantSettings: row.settings,
      publicFingerprints: row.public_fingerprints,
      expiresAt: row.expires_on.getTime(),
    });
  }
  return foldSession(log, credential);
}

/** The view may be behind an authorization of a moment ago. */
async function foldSession(log: Lookup['log'], credential: StoredCredential): Promise<Known | undefined> {
  const { tenantId, applicationId, keyId } = credential;
  const session = foldStream(sessionFold, await log.readStream(sessionStream(tenantId, keyId)));
  if (session.status !== 'live' || session.authorization === undefined) return undefined;
  const { applicationId: voucherId } = session.authorization;
  const [opener, voucher, tenant] = await Promise.all([
    foldApplication(log, tenantId, applicationId),
    foldApplication(log, tenantId, voucherId),
    foldTenant(log, tenantId),
  ]);
  if (opener === undefined || voucher === undefined || tenant === undefined) return undefined;
  const ends = [session.expiresAt, opener.expiresAt, voucher.expiresAt].filter((end) => end !== undefined);
  return known(credential, {
    held: session.authorization,
    voucherId,
    within: voucher,
    tenantSettings: tenant.settings,
    publicFingerprints: opener.publicFingerprints,
    expiresAt: Math.min(...ends.map((end) => Date.parse(end))),
  });
}

type Facts = Pick<Caller, 'tenantSettings' | 'publicFingerprints'> & {
  held: Pick<Caller, 'permissions' | 'rules'>;
  voucherId: string;
  within: NonNullable<Caller['within']>;
  expiresAt: number;
};

function known(
  credential: StoredCredential,
  { held, voucherId, within, tenantSettings, publicFingerprints, expiresAt }: Facts,
): Known {
  const { tenantId, applicationId, keyId } = credential;
  return {
    caller: {
      ...credential,
      type: 'session',
      permissions: held.permissions,
      rules: held.rules,
      within: { permissions: within.permissions, rules: within.rules },
      tenantSettings,
      publicFingerprints,
    },
    expiresAt,
    dependsOn: [keyId, applicationId, voucherId, tenantId],
  };
}
