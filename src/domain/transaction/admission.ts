import type { Features } from '#domain/connection/features.ts';
import type { ConnectionState } from '#domain/connection/state.ts';
import type { Faults, Refusal } from '#domain/event.ts';
import type { TransactionInput } from '#domain/transaction/input.ts';

type Asked = Pick<TransactionInput, 'amount' | 'currency' | 'country' | 'threeDSessionId'>;

/**
 * Whether a connection takes a transaction; undefined: it does. A conflict says that its credentials are still
 * being checked, so that the caller may wait.
 */
export function refusalByConnection(
  connection: ConnectionState,
  features: Features,
  asked: Asked,
): Refusal | undefined {
  if (connection.status !== 'live') return { refused: 'not_found' };
  const faults: Faults = {};
  if (!connection.active) faults['connection_id'] = ['names a connection that is not active'];
  if (connection.active && connection.availability === 'failed') {
    faults['connection_id'] = ['names a connection whose credentials were refused by the provider'];
  }
  if (!connection.acceptedCurrencies.includes(asked.currency)) {
    faults['currency'] = ['is not accepted by the connection'];
  }
  if (asked.country !== undefined && !connection.acceptedCountries.includes(asked.country)) {
    faults['country'] = ['is not accepted by the connection'];
  }
  if (asked.amount === 0 && !features.zero_auth) {
    faults['amount'] = ['must be more than 0: the connection does not support authorizations of nothing'];
  }
  if (asked.threeDSessionId !== undefined && !features.three_d_secure_pass_through) {
    faults['three_d_session_id'] = ['is not supported by the connection'];
  }
  if (Object.keys(faults).length > 0) return { refused: 'invalid', faults };
  if (connection.availability === 'pending') {
    return {
      refused: 'conflict',
      detail: "The connection's credentials are still being checked: try again.",
    };
  }
  return undefined;
}

/** What a transaction can be paid with. */
export function refusalByTokenType(type: string): Refusal | undefined {
  return type === 'card'
    ? undefined
    : { refused: 'invalid', faults: { token: ["must name a token of the type 'card'"] } };
}
