import { authorOf, unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { Authentication, ThreeDsSessionEvent } from '#domain/threeDs/events.ts';
import { isOpenStatus } from '#domain/threeDs/vocabulary.ts';
import type { Device, MethodIndicator } from '#domain/threeDs/vocabulary.ts';

type Opened = {
  id: string;
  tenantId: string;
  tokenId: string;
  cardBrand: string | undefined;
  device: Device;
  methodUrl: string | undefined;
  /** ISO 8601. */
  expiresAt: string;
  createdBy: string | undefined;
  createdAt: string;
  modifiedBy: string | undefined;
  modifiedAt: string | undefined;
};

type Authenticated = Opened & { methodCompletionIndicator: MethodIndicator; authentication: Authentication };

export type CreatedSession = Opened & { status: 'created' };
/** The buyer has been asked, and has not answered. */
export type ChallengedSession = Authenticated & { status: 'challenged' };
export type CompletedSession = Authenticated & {
  status: 'completed';
  method: 'frictionless' | 'challenge';
  cancelled: boolean;
};

export type LiveThreeDsSession = CreatedSession | ChallengedSession | CompletedSession;
export type ThreeDsSessionState = { status: 'absent' } | LiveThreeDsSession;

export const initialThreeDsSession: ThreeDsSessionState = { status: 'absent' };

/** Folds one event into the state of a 3-D Secure session. */
export function evolveThreeDsSession(
  state: ThreeDsSessionState,
  event: ThreeDsSessionEvent,
): ThreeDsSessionState {
  const modified = { modifiedBy: authorOf(event), modifiedAt: event.metadata.occurred_at };
  switch (event.type) {
    case '3ds.session.created':
      return {
        status: 'created',
        id: event.data.id,
        tenantId: event.metadata.tenant_id,
        tokenId: event.data.token_id,
        cardBrand: event.data.card_brand,
        device: event.data.device,
        methodUrl: event.data.method_url,
        expiresAt: event.data.expires_at,
        createdBy: authorOf(event),
        createdAt: event.metadata.occurred_at,
        modifiedBy: undefined,
        modifiedAt: undefined,
      };
    case '3ds.session.authenticated': {
      if (state.status !== 'created') return state;
      const { authentication, method_completion_indicator: methodCompletionIndicator } = event.data;
      const session = { ...state, ...modified, authentication, methodCompletionIndicator };
      return isOpenStatus(authentication.authentication_status)
        ? { ...session, status: 'challenged' }
        : { ...session, status: 'completed', method: 'frictionless', cancelled: false };
    }
    case '3ds.session.challenge-completed': {
      if (state.status !== 'challenged') return state;
      const { authentication, cancelled } = event.data;
      return { ...state, ...modified, authentication, cancelled, status: 'completed', method: 'challenge' };
    }
    default:
      return unreachable(event);
  }
}

export const threeDsSessionFold: Fold<ThreeDsSessionState, ThreeDsSessionEvent> = {
  initial: initialThreeDsSession,
  evolve: evolveThreeDsSession,
};
