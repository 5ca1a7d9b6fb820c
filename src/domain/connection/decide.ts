import type { ConnectionEvent } from '#domain/connection/events.ts';
import type { ConnectionAttributes, ConnectionState } from '#domain/connection/state.ts';
import type { Decision } from '#domain/event.ts';

/** What stays as it was created: payments of the past are captured and refunded through it. */
export type ConnectionKind = { formulaId: string; method: string };

export type NewConnection = ConnectionKind &
  ConnectionAttributes & { id: string; threeDSecureEnabled: boolean };

export function createConnection(
  state: ConnectionState,
  { id, formulaId, method, threeDSecureEnabled, ...attributes }: NewConnection,
): Decision<ConnectionEvent> {
  if (state.status !== 'absent') {
    return { refused: 'already_exists', detail: 'The connection exists already, or has existed.' };
  }
  return [
    {
      type: 'connection.created',
      data: {
        id,
        connection_formula_id: formulaId,
        method,
        three_d_secure_enabled: threeDSecureEnabled,
        ...recorded(attributes),
      },
    },
  ];
}

/** Replaces the attributes. With another payload the credentials have to be checked again. */
export function updateConnection(
  state: ConnectionState,
  { formulaId, method, ...attributes }: ConnectionKind & ConnectionAttributes,
): Decision<ConnectionEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  if (formulaId !== state.formulaId) {
    return {
      refused: 'invalid',
      faults: { connection_formula_id: [`cannot change: it is '${state.formulaId}'`] },
    };
  }
  if (method !== state.method) {
    return { refused: 'invalid', faults: { method: [`must be '${state.method}', as the formula says`] } };
  }
  return [
    {
      type: 'connection.updated',
      data: {
        id: state.id,
        previous_payload_id: attributes.payloadId === state.payloadId ? undefined : state.payloadId,
        ...recorded(attributes),
      },
    },
  ];
}

export type CredentialsCheck = {
  /** The payload that was looked at. */
  payloadId: string;
  availability: 'available' | 'failed';
  errorCode?: string;
};

/** Notes what a check found, once; what it says of credentials that were replaced meanwhile does not count. */
export function noteAvailability(state: ConnectionState, check: CredentialsCheck): Decision<ConnectionEvent> {
  if (state.status !== 'live' || state.payloadId !== check.payloadId) return [];
  if (state.availability === check.availability) return [];
  const data = { id: state.id, payload_id: check.payloadId };
  return check.availability === 'available'
    ? [{ type: 'connection.available', data }]
    : [{ type: 'connection.failed', data: { ...data, error_code: check.errorCode } }];
}

export function deleteConnection(state: ConnectionState): Decision<ConnectionEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  return [{ type: 'connection.deleted', data: { id: state.id, payload_id: state.payloadId } }];
}

/** What was under way through a deleted connection has ended; again it changes nothing. */
export function forgetConnection(state: ConnectionState): Decision<ConnectionEvent> {
  if (state.status !== 'deleted') return [];
  return [{ type: 'connection.forgotten', data: { id: state.id, payload_id: state.payloadId } }];
}

const recorded = (attributes: ConnectionAttributes) => ({
  display_name: attributes.displayName,
  accepted_countries: [...attributes.acceptedCountries],
  accepted_currencies: [...attributes.acceptedCurrencies],
  active: attributes.active,
  payload_id: attributes.payloadId,
});
