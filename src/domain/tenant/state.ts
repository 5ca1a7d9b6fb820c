import { authorOf, unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { TenantEvent } from '#domain/tenant/events.ts';

/** Settings are texts by name, as the field has them: `deduplicate_tokens` is `'true'` or `'false'`. */
export type TenantSettings = Readonly<Record<string, string>>;

export type LiveTenant = {
  status: 'live';
  id: string;
  name: string;
  settings: TenantSettings;
  createdBy: string | undefined;
  createdAt: string;
  modifiedBy: string | undefined;
  modifiedAt: string | undefined;
};

/** What a deleted tenant leaves: the receipt of what was destroyed. */
export type ErasedTenant = Receipt & {
  status: 'erased';
  /** ISO 8601. */
  erasedAt: string;
  filesRemoved: boolean;
};
type Receipt = {
  id: string;
  keys: readonly { purpose: string; version: number }[];
  payloads: number;
  deletedAt: string;
};

export type TenantState =
  { status: 'absent' } | LiveTenant | (Receipt & { status: 'deleted' }) | ErasedTenant;

export const initialTenant: TenantState = { status: 'absent' };

/** Folds one event into the state of a tenant. */
export function evolveTenant(state: TenantState, event: TenantEvent): TenantState {
  const author = authorOf(event);
  switch (event.type) {
    case 'tenant.created':
      return {
        status: 'live',
        id: event.data.id,
        name: event.data.name,
        settings: {},
        createdBy: author,
        createdAt: event.metadata.occurred_at,
        modifiedBy: undefined,
        modifiedAt: undefined,
      };
    case 'tenant.updated':
      if (state.status !== 'live') return state;
      return {
        ...state,
        name: event.data.name,
        settings: event.data.settings,
        modifiedBy: author,
        modifiedAt: event.metadata.occurred_at,
      };
    case 'tenant.deleted':
      return {
        status: 'deleted',
        id: event.data.id,
        keys: event.data.keys,
        payloads: event.data.payloads,
        deletedAt: event.metadata.occurred_at,
      };
    case 'tenant.erased':
      if (state.status !== 'deleted') return state;
      return {
        ...state,
        status: 'erased',
        erasedAt: event.metadata.occurred_at,
        filesRemoved: event.data.files_removed ?? false,
      };
    case 'tenant.signed':
      return state;
    default:
      return unreachable(event);
  }
}

export const tenantFold: Fold<TenantState, TenantEvent> = {
  initial: initialTenant,
  evolve: evolveTenant,
  signed: (state) => (state.status === 'live' ? signedTenant(state) : undefined),
};

/** What of a tenant decides access, as it is signed. */
export const signedTenant = ({ settings }: Pick<LiveTenant, 'settings'>): object => ({ settings });
