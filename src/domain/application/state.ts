import type { AccessRule, ApplicationEvent, ApplicationType } from '#domain/application/events.ts';
import { authorOf, unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';

export type ApplicationKey = {
  id: string;
  createdBy: string | undefined;
  createdAt: string;
  /** Not told by events; where it is known, to about ten seconds. */
  lastUsedAt?: string | undefined;
};

export type ApplicationRights = {
  name: string;
  permissions: readonly string[];
  rules: readonly AccessRule[];
  everyPermission: boolean;
  publicFingerprints: boolean;
  /** Of a public one: the pages that may use its keys, by origin. None: any. */
  origins: readonly string[];
};

export type LiveApplication = ApplicationRights & {
  status: 'live';
  id: string;
  tenantId: string;
  type: ApplicationType;
  keys: readonly ApplicationKey[];
  expiresAt: string | undefined;
  createdBy: string | undefined;
  createdAt: string;
  modifiedBy: string | undefined;
  modifiedAt: string | undefined;
};

export type ApplicationState = { status: 'absent' } | LiveApplication | { status: 'gone' };

export const initialApplication: ApplicationState = { status: 'absent' };

/** Folds one event into the state of an application. */
export function evolveApplication(state: ApplicationState, event: ApplicationEvent): ApplicationState {
  const author = authorOf(event);
  const at = event.metadata.occurred_at;
  if (event.type === 'application.created') {
    return {
      status: 'live',
      id: event.data.id,
      tenantId: event.metadata.tenant_id,
      type: event.data.type,
      name: event.data.name,
      permissions: event.data.permissions,
      rules: event.data.rules,
      everyPermission: event.data.every_permission,
      publicFingerprints: event.data.public_fingerprints,
      origins: event.data.origins,
      keys: [],
      expiresAt: event.data.expires_at,
      createdBy: author,
      createdAt: at,
      modifiedBy: undefined,
      modifiedAt: undefined,
    };
  }
  if (state.status !== 'live') return state;
  switch (event.type) {
    case 'application.updated':
      return {
        ...state,
        name: event.data.name,
        permissions: event.data.permissions,
        rules: event.data.rules,
        everyPermission: event.data.every_permission,
        publicFingerprints: event.data.public_fingerprints,
        origins: event.data.origins,
        modifiedBy: author,
        modifiedAt: at,
      };
    case 'application.deleted':
      return { status: 'gone' };
    case 'application.key.created':
      return { ...state, keys: [...state.keys, { id: event.data.key_id, createdBy: author, createdAt: at }] };
    case 'application.key.deleted':
      return { ...state, keys: state.keys.filter((key) => key.id !== event.data.key_id) };
    case 'application.signed':
      return state;
    default:
      return unreachable(event);
  }
}

export const applicationFold: Fold<ApplicationState, ApplicationEvent> = {
  initial: initialApplication,
  evolve: evolveApplication,
  signed: (state) => (state.status === 'live' ? signedApplication(state) : undefined),
};

/** What of an application decides access, as it is signed. Keys without their order: a view need not keep it. */
export const signedApplication = (
  application: Pick<
    LiveApplication,
    'type' | 'permissions' | 'rules' | 'everyPermission' | 'publicFingerprints' | 'origins' | 'expiresAt'
  > & { keys: readonly { id: string }[] },
): object => ({
  type: application.type,
  permissions: application.permissions,
  rules: application.rules,
  every_permission: application.everyPermission,
  public_fingerprints: application.publicFingerprints,
  // Where there are none, what was signed before there were any is signed still.
  ...(application.origins.length === 0 ? {} : { origins: application.origins }),
  expires_at: application.expiresAt ?? null,
  keys: application.keys.map(({ id }) => id).sort(),
});
