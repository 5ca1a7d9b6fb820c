import { hash } from 'node:crypto';
import { applicationStream } from '#domain/application/events.ts';
import type { AccessRule, ApplicationType } from '#domain/application/events.ts';
import { applicationFold } from '#domain/application/state.ts';
import { tenantStream } from '#domain/tenant/events.ts';
import { tenantFold } from '#domain/tenant/state.ts';
import type { TenantSettings } from '#domain/tenant/state.ts';
import { foldStream } from '#domain/fold.ts';
import type { AccessDirectory, Caller } from '#ports/accessDirectory.ts';
import type { Clock } from '#ports/clock.ts';
import type { Credentials, StoredCredential } from '#ports/credentials.ts';
import type { EventLog } from '#ports/eventLog.ts';
import type { KeyUses } from '#ports/keyUses.ts';
import type { KeyedQuery, ReadModels } from '#ports/readModels.ts';

/** Tells which applications' rights or keys, or which tenants' settings, have changed. */
export type AccessFeed = {
  /** On the clock of `performance.now()`: what changed before has been told. */
  lastHeardAt(): number;
  /** `'all'`: it is not known which. */
  onInvalidation(listener: (changedIds: readonly string[] | 'all') => void): void;
};

type Known = { caller: Caller; expiresAt: number | undefined };

/** A cached entry is used while the feed was heard within so many milliseconds. */
const trusted = 1_000;
const mostEntries = 10_000;

const keyAndRights: KeyedQuery = {
  name: 'access_by_key',
  text: `select key.id::text as key, application.type, application.permissions, application.rules,
      application.expires_at, owner.settings
    from read_models.application_keys as key
    join read_models.applications as application
      on application.tenant_id = key.tenant_id and application.id = key.application_id
    left join read_models.tenants as owner on owner.id = tenant.id
    where key.tenant_id = tenant.id and key.id = any($2::uuid[])`,
};

type RightsRow = {
  key: string;
  type: ApplicationType;
  permissions: string[];
  rules: AccessRule[];
  expires_at: string | null;
  settings: TenantSettings | null;
};

/** Looks keys up, and remembers those that opened something for as long as changes are heard of. */
export function createAccessDirectory({
  credentials,
  readModels,
  log,
  clock,
  feed,
  keyUses,
}: {
  credentials: Credentials;
  readModels: ReadModels;
  log: EventLog;
  clock: Clock;
  feed: AccessFeed;
  keyUses: KeyUses;
}): AccessDirectory {
  const cache = new Map<string, Known>();
  let invalidations = 0;
  feed.onInvalidation((changed) => {
    invalidations++;
    if (changed === 'all') {
      cache.clear();
      return;
    }
    for (const [digest, { caller }] of cache) {
      if (changed.includes(caller.applicationId) || changed.includes(caller.tenantId)) cache.delete(digest);
    }
  });

  const alive = (known: Known | undefined): Caller | undefined => {
    if (known === undefined) return undefined;
    const expired = known.expiresAt !== undefined && known.expiresAt <= clock.now().getTime();
    return expired ? undefined : known.caller;
  };

  return {
    find: async (key) => {
      if (!credentials.wellFormed(key)) return undefined;
      const caller = await find(key);
      if (caller !== undefined) keyUses.touch(caller.tenantId, caller.keyId);
      return caller;
    },
  };

  async function find(key: string): Promise<Caller | undefined> {
    const digest = hash('sha256', key, 'base64');
    const cached = cache.get(digest);
    if (cached !== undefined && performance.now() - feed.lastHeardAt() <= trusted) return alive(cached);
    const before = invalidations;
    const known = await lookUp(credentials, readModels, log, key);
    // What was read while something changed may be what it was before the change.
    if (known !== undefined && before === invalidations) {
      if (cache.size >= mostEntries) cache.clear();
      cache.set(digest, known);
    }
    return alive(known);
  }
}

async function lookUp(
  credentials: Credentials,
  readModels: ReadModels,
  log: EventLog,
  key: string,
): Promise<Known | undefined> {
  const credential = await credentials.find(key);
  if (credential === undefined) return undefined;
  const row = await readModels.row<RightsRow>(credential.tenantId, keyAndRights, credential.keyId);
  if (row === undefined) return foldRights(log, credential);
  return {
    caller: {
      ...credential,
      type: row.type,
      permissions: row.permissions,
      rules: row.rules,
      tenantSettings: row.settings ?? {},
    },
    expiresAt: row.expires_at === null ? undefined : Date.parse(row.expires_at),
  };
}

/** The view may be behind a key that was made a moment ago: its stream is asked before it is turned away. */
async function foldRights(log: EventLog, credential: StoredCredential): Promise<Known | undefined> {
  const { tenantId, applicationId, keyId } = credential;
  const state = foldStream(applicationFold, await log.readStream(applicationStream(tenantId, applicationId)));
  if (state.status !== 'live' || !state.keys.some(({ id }) => id === keyId)) return undefined;
  const tenant = foldStream(tenantFold, await log.readStream(tenantStream(tenantId)));
  return {
    caller: {
      ...credential,
      type: state.type,
      permissions: state.permissions,
      rules: state.rules,
      tenantSettings: tenant.status === 'live' ? tenant.settings : {},
    },
    expiresAt: state.expiresAt === undefined ? undefined : Date.parse(state.expiresAt),
  };
}
