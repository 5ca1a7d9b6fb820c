import { lendingSetting } from '#access/lending.ts';
import { sessionStream } from '#domain/session/events.ts';
import type { SessionRule } from '#domain/session/events.ts';
import { sessionFold, signedSession } from '#domain/session/state.ts';
import type { LiveSession, SessionAuthorization } from '#domain/session/state.ts';
import type { TenantSettings } from '#domain/tenant/state.ts';
import type { Known, Lookup } from '#infra/postgres/access/known.ts';
import { ownerColumn, ownTenant, rightsColumn, rightsOf, settingsOf } from '#infra/postgres/access/rights.ts';
import type { OwnerColumn, RightsColumn } from '#infra/postgres/access/rights.ts';
import type { StoredCredential } from '#ports/credentials.ts';
import { rowByKey } from '#ports/readModels.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import { isNewest, readSigned, signedStateOf } from '#src/signedStreams.ts';
import type { SignedRow } from '#src/signedStreams.ts';

const sessionAndRights: KeyedQuery = {
  name: 'access_by_session',
  text: `select session.id::text as key, session.application_id, session.permissions, session.rules,
      session.authorized_by, session.expires_at, session.revision, session.mac,
      ${rightsColumn('opener')} as opener, ${rightsColumn('voucher')} as voucher, ${ownerColumn} as owner
    from unnest($2::uuid[]) as wanted (id)
    cross join ${rowByKey('read_models.sessions', 'wanted.id')} as session
    cross join ${rowByKey('read_models.applications', 'session.application_id')} as opener
    cross join ${rowByKey('read_models.applications', 'session.authorized_by')} as voucher
    cross join ${ownTenant}`,
};

type Row = SignedRow & {
  key: string;
  application_id: string;
  permissions: string[];
  rules: SessionRule[];
  authorized_by: string;
  expires_at: string;
  opener: RightsColumn;
  voucher: RightsColumn;
  owner: OwnerColumn;
};

/**
 * Who a session's key stands for; nobody until the session is authorized. It ends with the application that opened it,
 * and with the one that vouches for it. @throws IntegrityError
 */
export async function findSession(lookup: Lookup, credential: StoredCredential): Promise<Known | undefined> {
  const { tenantId, keyId } = credential;
  const row = await lookup.readModels.row<Row>(tenantId, sessionAndRights, keyId);
  const session = await sessionOf(lookup, tenantId, keyId, row);
  if (session?.authorization === undefined || session.applicationId !== credential.applicationId) {
    return undefined;
  }
  const { applicationId: openerId, authorization } = session;
  const [opener, voucher, settings] = await Promise.all([
    rightsOf(lookup, tenantId, openerId, rowOf(openerId, row?.opener)),
    rightsOf(lookup, tenantId, authorization.applicationId, rowOf(authorization.applicationId, row?.voucher)),
    settingsOf(lookup, tenantId, row?.owner),
  ]);
  if (opener === undefined || voucher === undefined || settings === undefined) return undefined;
  const ends = [session.expiresAt, opener.expiresAt, voucher.expiresAt].filter((end) => end !== undefined);
  return {
    caller: {
      ...credential,
      type: 'session',
      permissions: authorization.permissions,
      rules: rulesUnder(settings, authorization.rules),
      within: { permissions: voucher.permissions, rules: voucher.rules },
      tenantSettings: settings,
      publicFingerprints: opener.publicFingerprints,
      origins: opener.origins,
    },
    expiresAt: Math.min(...ends.map((end) => Date.parse(end))),
    dependsOn: [keyId, openerId, authorization.applicationId, tenantId],
  };
}

/** What was lent beyond the own rights is so for as long as the tenant allows that. */
const rulesUnder = (settings: TenantSettings, rules: readonly SessionRule[]): readonly SessionRule[] =>
  settings[lendingSetting] === 'true' ? rules : rules.map(({ lends: _, ...rule }) => rule);

type Session = Pick<LiveSession, 'applicationId' | 'expiresAt'> & {
  authorization: SessionAuthorization | undefined;
};

/** By its row, where that is as new as its stream: the view may be behind an authorization of a moment ago. */
async function sessionOf(
  lookup: Lookup,
  tenantId: string,
  id: string,
  row: Row | undefined,
): Promise<Session | undefined> {
  const stream = sessionStream(tenantId, id);
  if (row !== undefined) {
    const { permissions, rules } = row;
    const session = {
      applicationId: row.application_id,
      expiresAt: row.expires_at,
      authorization: { applicationId: row.authorized_by, permissions, rules },
    };
    if (await isNewest(lookup, signedStateOf(stream, signedSession(session), row))) return session;
  }
  const state = await readSigned(lookup, stream, sessionFold);
  return state.status === 'live' ? state : undefined;
}

const rowOf = (id: string, row: RightsColumn | undefined): RightsColumn | undefined =>
  row?.id === id ? row : undefined;
