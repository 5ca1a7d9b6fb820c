import { hash } from 'node:crypto';
import { findApplication } from '#infra/postgres/access/application.ts';
import { findLender } from '#infra/postgres/access/lender.ts';
import type { Known, Lookup } from '#infra/postgres/access/known.ts';
import { findSession } from '#infra/postgres/access/session.ts';
import type { AccessDirectory, Caller } from '#ports/accessDirectory.ts';
import type { Credentials } from '#ports/credentials.ts';
import type { KeyUses } from '#ports/keyUses.ts';

/** Tells which applications' rights or keys, or which tenants' settings, have changed. */
export type AccessFeed = {
  /** On the clock of `performance.now()`: what changed before has been told. */
  lastHeardAt(): number;
  /** `'all'`: it is not known which. */
  onInvalidation(listener: (changedIds: readonly string[] | 'all') => void): void;
};

/** A cached entry is used while the feed was heard within so many milliseconds. */
const trusted = 1_000;
const mostEntries = 10_000;

/** Looks keys up, and remembers those that opened something for as long as changes are heard of. */
export function createAccessDirectory({
  credentials,
  feed,
  keyUses,
  ...lookup
}: Lookup & {
  credentials: Credentials;
  feed: AccessFeed;
  keyUses: KeyUses;
}): AccessDirectory {
  const { clock } = lookup;
  /** By the digest of a key, or by tenant and application. */
  const cache = new Map<string, Known>();
  let invalidations = 0;
  feed.onInvalidation((changed) => {
    invalidations++;
    if (changed === 'all') {
      cache.clear();
      return;
    }
    for (const [name, { dependsOn }] of cache) {
      if (dependsOn.some((id) => changed.includes(id))) cache.delete(name);
    }
  });

  const alive = (known: Known | undefined): Caller | undefined => {
    if (known === undefined) return undefined;
    const expired = known.expiresAt !== undefined && known.expiresAt <= clock.now().getTime();
    return expired ? undefined : known.caller;
  };

  return {
    find: async (key) => {
      if (!credentials.wellFormed(key) || credentials.isProxy(key)) return undefined;
      const caller = await remembered(hash('sha256', key, 'base64'), () => lookUp(key));
      if (caller !== undefined) keyUses.touch(caller.tenantId, caller.keyId);
      return caller;
    },
    ofApplication: (tenantId, applicationId) =>
      remembered(`${tenantId}/${applicationId}`, () => findLender(lookup, tenantId, applicationId)),
  };

  async function remembered(
    name: string,
    read: () => Promise<Known | undefined>,
  ): Promise<Caller | undefined> {
    const cached = cache.get(name);
    if (cached !== undefined && performance.now() - feed.lastHeardAt() <= trusted) return alive(cached);
    const before = invalidations;
    const known = await read();
    // What was read while something changed may be what it was before the change.
    if (known !== undefined && before === invalidations) {
      if (cache.size >= mostEntries) cache.clear();
      cache.set(name, known);
    }
    return alive(known);
  }

  async function lookUp(key: string): Promise<Known | undefined> {
    const credential = await credentials.find(key);
    if (credential === undefined) return undefined;
    return credentials.isSession(key) ? findSession(lookup, credential) : findApplication(lookup, credential);
  }
}
