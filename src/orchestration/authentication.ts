import { unreachable } from '#domain/event.ts';
import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import type { AuthenticationStatus } from '#domain/threeDs/vocabulary.ts';
import type { AuthenticationData } from '#ports/paymentProvider.ts';
import { authenticationValue, getThreeDsSession } from '#queries/threeDs/get.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';

type Response = NonNullable<AuthenticationData['directoryResponse']>;

/** What the session of a transaction brought, to be passed through; undefined: nothing that could be. */
export async function authenticationOf(
  dependencies: PaymentDependencies,
  tenantId: string,
  sessionId: string | undefined,
): Promise<AuthenticationData | undefined> {
  if (sessionId === undefined) return undefined;
  return passedThrough(dependencies, await getThreeDsSession(dependencies, tenantId, sessionId));
}

/** {@link authenticationOf}, of a session that is at hand. */
export async function passedThrough(
  dependencies: Pick<PaymentDependencies, 'vault'>,
  session: LiveThreeDsSession,
): Promise<AuthenticationData | undefined> {
  if (session.status !== 'completed') return undefined;
  const { threeds_version, authentication_status, eci, ds_transaction_id } = session.authentication;
  if (threeds_version === undefined) return undefined;
  const response = responseOf(authentication_status);
  const value = await authenticationValue(dependencies, session);
  return {
    version: threeds_version,
    ...(value === undefined ? {} : { authenticationValue: value }),
    ...(eci === undefined ? {} : { eci }),
    ...(ds_transaction_id === undefined ? {} : { directoryServerTransactionId: ds_transaction_id }),
    ...(session.method === 'challenge'
      ? { directoryResponse: 'C', authenticationResponse: afterChallenge(response) }
      : { directoryResponse: response }),
  };
}

/** Terms of EMV 3-D Secure, transaction status. */
function responseOf(status: AuthenticationStatus): Response {
  switch (status) {
    case 'successful':
      return 'Y';
    case 'attempted':
      return 'A';
    case 'failed':
      return 'N';
    case 'unavailable':
      return 'U';
    case 'rejected':
      return 'R';
    case 'informational':
      return 'I';
    case 'challenge':
      return 'C';
    case 'decoupled_challenge':
      return 'D';
    default:
      return unreachable(status);
  }
}

const afterChallenge = (response: Response): NonNullable<AuthenticationData['authenticationResponse']> =>
  response === 'Y' || response === 'A' || response === 'U' ? response : 'N';
