import type { Decision } from '#domain/event.ts';
import type { SessionEvent } from '#domain/session/events.ts';
import type { SessionAuthorization, SessionState } from '#domain/session/state.ts';

export function createSession(
  state: SessionState,
  session: { id: string; applicationId: string; expiresAt: string },
): Decision<SessionEvent> {
  if (state.status !== 'absent') return { refused: 'already_exists', detail: 'The session exists already.' };
  const { id, applicationId, expiresAt } = session;
  return [{ type: 'session.created', data: { id, application_id: applicationId, expires_at: expiresAt } }];
}

/** A nonce is good for one authorization. */
export function authorizeSession(
  state: SessionState,
  { applicationId, permissions, rules }: SessionAuthorization,
  expiresAt: string | undefined,
): Decision<SessionEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  if (state.authorization !== undefined) {
    return { refused: 'already_exists', detail: 'The nonce was used already: a session is authorized once.' };
  }
  return [
    {
      type: 'session.authorized',
      data: {
        id: state.id,
        application_id: applicationId,
        permissions: [...permissions],
        rules: [...rules],
        expires_at: expiresAt ?? state.expiresAt,
      },
    },
  ];
}

export function expireSession(state: SessionState): Decision<SessionEvent> {
  return state.status === 'live' ? [{ type: 'session.expired', data: { id: state.id } }] : [];
}
