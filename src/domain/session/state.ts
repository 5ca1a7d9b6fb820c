import { unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { SessionEvent, SessionRule } from '#domain/session/events.ts';

/** What a session may do, and which application vouches for it. */
export type SessionAuthorization = {
  applicationId: string;
  permissions: readonly string[];
  rules: readonly SessionRule[];
};

export type LiveSession = {
  status: 'live';
  id: string;
  /** The public application that opened it. */
  applicationId: string;
  /** ISO 8601. */
  expiresAt: string;
  /** Undefined until it is authorized: it may do nothing yet. */
  authorization: SessionAuthorization | undefined;
};

export type SessionState = { status: 'absent' } | LiveSession | { status: 'gone' };

/** Folds one event into the state of a session. */
export function evolveSession(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'session.created':
      return {
        status: 'live',
        id: event.data.id,
        applicationId: event.data.application_id,
        expiresAt: event.data.expires_at,
        authorization: undefined,
      };
    case 'session.authorized':
      if (state.status !== 'live') return state;
      return {
        ...state,
        expiresAt: event.data.expires_at,
        authorization: {
          applicationId: event.data.application_id,
          permissions: event.data.permissions,
          rules: event.data.rules,
        },
      };
    case 'session.expired':
      return { status: 'gone' };
    case 'session.signed':
      return state;
    default:
      return unreachable(event);
  }
}

export const sessionFold: Fold<SessionState, SessionEvent> = {
  initial: { status: 'absent' },
  evolve: evolveSession,
  signed: (state) => (state.status === 'live' ? signedSession(state) : undefined),
};

/** What of a session decides access, as it is signed. */
export const signedSession = ({
  applicationId,
  expiresAt,
  authorization,
}: Pick<LiveSession, 'applicationId' | 'expiresAt' | 'authorization'>): object => ({
  application_id: applicationId,
  expires_at: expiresAt,
  authorized_by: authorization?.applicationId ?? null,
  permissions: authorization?.permissions ?? [],
  rules: authorization?.rules ?? [],
});
