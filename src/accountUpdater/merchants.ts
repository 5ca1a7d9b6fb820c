import type { TenantSettings } from '#domain/tenant/state.ts';

/** The setting of a tenant that lists its merchants, by commas. */
export const merchantsSetting = 'account_updater_merchants';

/** The merchants of a tenant; undefined: it has no list, and any name passes. */
export function merchantsOf(settings: TenantSettings): ReadonlySet<string> | undefined {
  const names = merchantNames(settings[merchantsSetting] ?? '');
  return names.length === 0 ? undefined : new Set(names);
}

export const merchantNames = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
