import type { ApplicationEvent, ApplicationType } from '#domain/application/events.ts';
import type { ApplicationRights, ApplicationState } from '#domain/application/state.ts';
import type { Decision } from '#domain/event.ts';

/** An application holds at most this many keys at a time. */
export const maximumKeys = 3;

export type NewApplication = ApplicationRights & {
  id: string;
  type: ApplicationType;
  expiresAt: string | undefined;
  /** Its first key, if it is to have one from the start. */
  keyId: string | undefined;
};

export function createApplication(
  state: ApplicationState,
  application: NewApplication,
): Decision<ApplicationEvent> {
  if (state.status !== 'absent') {
    return { refused: 'already_exists', detail: 'The application exists already.' };
  }
  const { id, keyId } = application;
  return [
    {
      type: 'application.created',
      data: { id, type: application.type, ...recorded(application), expires_at: application.expiresAt },
    },
    ...(keyId === undefined
      ? []
      : [{ type: 'application.key.created' as const, data: { id, key_id: keyId } }]),
  ];
}

/** Replaces name, permissions and rules whole. */
export function updateApplication(
  state: ApplicationState,
  rights: ApplicationRights,
): Decision<ApplicationEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  return [{ type: 'application.updated', data: { id: state.id, ...recorded(rights) } }];
}

export function deleteApplication(
  state: ApplicationState,
  reason: 'requested' | 'expired',
): Decision<ApplicationEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  const keyIds = state.keys.map((key) => key.id);
  return [{ type: 'application.deleted', data: { id: state.id, reason, key_ids: keyIds } }];
}

export function createKey(state: ApplicationState, keyId: string): Decision<ApplicationEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  if (state.keys.length >= maximumKeys) {
    return {
      refused: 'unprocessable',
      detail: `An application may hold at most ${maximumKeys} keys: delete one first.`,
    };
  }
  return [{ type: 'application.key.created', data: { id: state.id, key_id: keyId } }];
}

/** Replaces the only key. With several it would not be clear which one is meant. */
export function regenerateKey(state: ApplicationState, keyId: string): Decision<ApplicationEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  const [only, ...others] = state.keys;
  if (only === undefined || others.length > 0) {
    return {
      refused: 'unprocessable',
      detail: 'Only the key of an application with exactly one can be replaced.',
    };
  }
  return [
    { type: 'application.key.deleted', data: { id: state.id, key_id: only.id } },
    { type: 'application.key.created', data: { id: state.id, key_id: keyId } },
  ];
}

export function deleteKey(state: ApplicationState, keyId: string): Decision<ApplicationEvent> {
  if (state.status !== 'live' || !state.keys.some((key) => key.id === keyId)) return { refused: 'not_found' };
  return [{ type: 'application.key.deleted', data: { id: state.id, key_id: keyId } }];
}

function recorded(rights: ApplicationRights) {
  return {
    name: rights.name,
    permissions: [...rights.permissions],
    rules: [...rights.rules],
    every_permission: rights.everyPermission,
    public_fingerprints: rights.publicFingerprints,
    origins: [...rights.origins],
  };
}
