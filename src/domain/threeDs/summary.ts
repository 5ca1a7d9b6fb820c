import { unreachable } from '#domain/event.ts';
import type { AuthenticationStatus } from '#domain/threeDs/vocabulary.ts';
import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import type { ThreeDSecure } from '#domain/transaction/events.ts';

/** What a transaction shows of the session that it was made with. */
export function threeDSecureOf(session: LiveThreeDsSession): ThreeDSecure {
  if (session.status === 'created') return { status: 'setup_error', method: 'frictionless' };
  const { threeds_version: version, error_data, authentication_status } = session.authentication;
  const known = {
    ...(version === undefined ? {} : { version }),
    ...(error_data === undefined ? {} : { error_data }),
  };
  if (session.status === 'challenged') return { ...known, status: 'setup_error', method: 'challenge' };
  const status = session.cancelled ? 'cancelled' : summaryStatus(authentication_status);
  return { ...known, status, method: session.method };
}

function summaryStatus(status: AuthenticationStatus): ThreeDSecure['status'] {
  switch (status) {
    case 'successful':
    case 'attempted':
    case 'informational':
      return 'complete';
    case 'failed':
    case 'rejected':
      return 'declined';
    case 'unavailable':
      return 'error';
    case 'challenge':
    case 'decoupled_challenge':
      return 'setup_error';
    default:
      return unreachable(status);
  }
}
