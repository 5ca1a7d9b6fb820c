import { creation, modification } from '#domain/authorship.ts';
import type { Authorship } from '#domain/authorship.ts';
import type { ConnectionEvent } from '#domain/connection/events.ts';
import { unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';

/** What an update may replace. */
export type ConnectionAttributes = {
  displayName: string;
  acceptedCountries: readonly string[];
  acceptedCurrencies: readonly string[];
  active: boolean;
  payloadId: string;
};

export type Availability = 'pending' | 'available' | 'failed';

export type LiveConnection = ConnectionAttributes &
  Authorship & {
    status: 'live';
    id: string;
    tenantId: string;
    formulaId: string;
    method: string;
    threeDSecureEnabled: boolean;
    /** Pending until the credentials were checked with the provider. */
    availability: Availability;
  };

/** What it takes to call the provider of a connection. */
export type PayingConnection = Pick<LiveConnection, 'tenantId' | 'id' | 'formulaId' | 'payloadId'>;

/** Nothing new is made through it; what is under way is seen through. */
export type DeletedConnection = PayingConnection & { status: 'deleted' };

export type ConnectionState = { status: 'absent' } | LiveConnection | DeletedConnection | { status: 'gone' };

export const initialConnection: ConnectionState = { status: 'absent' };

/** Folds one event into the state of a connection. */
export function evolveConnection(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  if (event.type === 'connection.created') {
    return {
      status: 'live',
      id: event.data.id,
      tenantId: event.metadata.tenant_id,
      formulaId: event.data.connection_formula_id,
      method: event.data.method,
      threeDSecureEnabled: event.data.three_d_secure_enabled,
      availability: 'pending',
      ...attributesIn(event),
      ...creation(event),
    };
  }
  if (state.status === 'deleted') return event.type === 'connection.forgotten' ? { status: 'gone' } : state;
  if (state.status !== 'live') return state;
  switch (event.type) {
    case 'connection.updated':
      return {
        ...state,
        ...attributesIn(event),
        availability: event.data.payload_id === state.payloadId ? state.availability : 'pending',
        ...modification(event),
      };
    case 'connection.available':
      return { ...state, availability: 'available' };
    case 'connection.failed':
      return { ...state, availability: 'failed' };
    case 'connection.deleted': {
      const { tenantId, id, formulaId, payloadId } = state;
      return { status: 'deleted', tenantId, id, formulaId, payloadId };
    }
    case 'connection.forgotten':
      return { status: 'gone' };
    default:
      return unreachable(event);
  }
}

const attributesIn = ({
  data,
}: Extract<
  ConnectionEvent,
  { type: 'connection.created' | 'connection.updated' }
>): ConnectionAttributes => ({
  displayName: data.display_name,
  acceptedCountries: data.accepted_countries,
  acceptedCurrencies: data.accepted_currencies,
  active: data.active,
  payloadId: data.payload_id,
});

export const connectionFold: Fold<ConnectionState, ConnectionEvent> = {
  initial: initialConnection,
  evolve: evolveConnection,
};
