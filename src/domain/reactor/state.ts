import { authorOf, unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { ReactorEvent } from '#domain/reactor/events.ts';

export type ReactorAttributes = {
  name: string;
  code: string;
  /** It may have been deleted meanwhile. */
  applicationId: string | undefined;
  payloadId: string;
};

export type LiveReactor = ReactorAttributes & {
  status: 'live';
  id: string;
  tenantId: string;
  createdBy: string | undefined;
  createdAt: string;
  modifiedBy: string | undefined;
  modifiedAt: string | undefined;
};

export type ReactorState = { status: 'absent' } | LiveReactor | { status: 'gone' };

export const initialReactor: ReactorState = { status: 'absent' };

/** Folds one event into the state of a reactor. */
export function evolveReactor(state: ReactorState, event: ReactorEvent): ReactorState {
  if (event.type === 'reactor.created') {
    return {
      status: 'live',
      id: event.data.id,
      tenantId: event.metadata.tenant_id,
      ...attributesIn(event),
      createdBy: authorOf(event),
      createdAt: event.metadata.occurred_at,
      modifiedBy: undefined,
      modifiedAt: undefined,
    };
  }
  if (state.status !== 'live') return state;
  switch (event.type) {
    case 'reactor.updated':
      return {
        ...state,
        ...attributesIn(event),
        modifiedBy: authorOf(event),
        modifiedAt: event.metadata.occurred_at,
      };
    case 'reactor.deleted':
      return { status: 'gone' };
    default:
      return unreachable(event);
  }
}

const attributesIn = ({
  data,
}: Extract<ReactorEvent, { type: 'reactor.created' | 'reactor.updated' }>): ReactorAttributes => ({
  name: data.name,
  code: data.code,
  applicationId: data.application_id,
  payloadId: data.payload_id,
});

export const reactorFold: Fold<ReactorState, ReactorEvent> = {
  initial: initialReactor,
  evolve: evolveReactor,
};
