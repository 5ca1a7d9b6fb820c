import type { TenantSettings } from '#domain/tenant/state.ts';

/** The setting of a tenant that lists its merchants, by commas. */
export const merchantsSetting = 'account_updater_merchants';

/** The merchants of a tenant; undefined: it has no list, and any name passes. */
export function merchantsOf(settings: TenantSettings): ReadonlySet<string> | undefined {
  const names = merchantNames(settings[merchantsSetting] ?? '');
  return names.length === 0 ? undefined : new Set(names);
}

/** In characters. A cell that holds more names nobody. */
const longestMerchant = 255;

/** Whether a row may be asked about for a merchant. @param merchants undefined: the tenant has no list */
export const isMerchant = (name: string, merchants: ReadonlySet<string> | undefined): boolean =>
  merchants?.has(name) ?? (name !== '' && name.length <= longestMerchant);

export const merchantNames = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
