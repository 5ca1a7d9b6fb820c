import type { Static } from 'typebox';
import type { Decision } from '#domain/event.ts';
import type { Authentication, ThreeDsSessionCreated, ThreeDsSessionEvent } from '#domain/threeDs/events.ts';
import type { ThreeDsSessionState } from '#domain/threeDs/state.ts';
import { isOpenStatus } from '#domain/threeDs/vocabulary.ts';
import type { MethodIndicator } from '#domain/threeDs/vocabulary.ts';

type IsPast = (time: string) => boolean;

export function createThreeDsSession(
  state: ThreeDsSessionState,
  session: Static<typeof ThreeDsSessionCreated>,
): Decision<ThreeDsSessionEvent> {
  if (state.status !== 'absent') return { refused: 'already_exists', detail: 'The session exists already.' };
  return [{ type: '3ds.session.created', data: session }];
}

/** A session is authenticated once. */
export function authenticateSession(
  state: ThreeDsSessionState,
  {
    authentication,
    methodCompletionIndicator,
  }: { authentication: Authentication; methodCompletionIndicator: MethodIndicator },
  isPast: IsPast,
): Decision<ThreeDsSessionEvent> {
  if (state.status === 'absent' || isPast(state.expiresAt)) return { refused: 'not_found' };
  if (state.status !== 'created') {
    return { refused: 'conflict', detail: 'The session has been authenticated already.' };
  }
  return [
    {
      type: '3ds.session.authenticated',
      data: { id: state.id, method_completion_indicator: methodCompletionIndicator, authentication },
    },
  ];
}

/** Notes how a challenge ended, once: a result that comes again changes nothing. */
export function completeChallenge(
  state: ThreeDsSessionState,
  { authentication, cancelled }: { authentication: Authentication; cancelled: boolean },
  isPast: IsPast,
): Decision<ThreeDsSessionEvent> {
  if (state.status === 'absent' || isPast(state.expiresAt)) return { refused: 'not_found' };
  if (state.status === 'completed' && state.method === 'challenge') return [];
  if (state.status !== 'challenged') {
    return { refused: 'conflict', detail: 'The session has no challenge to complete.' };
  }
  if (isOpenStatus(authentication.authentication_status)) return [];
  return [{ type: '3ds.session.challenge-completed', data: { id: state.id, authentication, cancelled } }];
}
