import type { TenantKeys } from '#infra/vault/keys/tenantKeys.ts';

/** Unwrapped keys are forgotten this long after they were loaded, in milliseconds. */
export const keyLifetime = 5 * 60_000;

/** Unwrapped tenant keys, in memory for minutes. */
export type Keyring = {
  /** @throws TenantKeysMissing @throws StoreUnavailable */
  of(tenantId: string): Promise<TenantKeys>;
  drop(tenantId: string): void;
  /** Says that keys turned out to be old: of many callers who find out at once, one loads again. */
  refuse(tenantId: string, keys: TenantKeys): void;
  dropAll(): void;
  /** Forgets keys whose time is over also where nobody asks for them again. */
  dropExpired(): void;
};

type Entry = { keys: Promise<TenantKeys>; until: number; loaded?: TenantKeys };

/** `elapsed` is a monotonic time in milliseconds: a clock that is set back must not lengthen a key's life. */
export function createKeyring(
  load: (tenantId: string) => Promise<TenantKeys>,
  elapsed: () => number = () => performance.now(),
): Keyring {
  const entries = new Map<string, Entry>();

  const loadEntry = (tenantId: string): Promise<TenantKeys> => {
    const entry: Entry = { keys: load(tenantId), until: elapsed() + keyLifetime };
    entries.set(tenantId, entry);
    entry.keys.then(
      (keys) => {
        entry.loaded = keys;
      },
      () => {
        if (entries.get(tenantId) === entry) entries.delete(tenantId);
      },
    );
    return entry.keys;
  };

  return {
    of: (tenantId) => {
      const entry = entries.get(tenantId);
      if (entry !== undefined && elapsed() < entry.until) return entry.keys;
      return loadEntry(tenantId);
    },
    drop: (tenantId) => {
      entries.delete(tenantId);
    },
    refuse: (tenantId, keys) => {
      if (entries.get(tenantId)?.loaded === keys) entries.delete(tenantId);
    },
    dropAll: () => {
      entries.clear();
    },
    dropExpired: () => {
      for (const [tenantId, entry] of entries) if (elapsed() >= entry.until) entries.delete(tenantId);
    },
  };
}
