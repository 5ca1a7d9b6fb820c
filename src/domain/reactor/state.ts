import { creation, modification } from '#domain/authorship.ts';
import type { Authorship } from '#domain/authorship.ts';
import { unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { ReactorEvent } from '#domain/reactor/events.ts';

export type ReactorAttributes = {
  name: string;
  code: string;
  /** It may have been deleted meanwhile. */
  applicationId: string | undefined;
  payloadId: string;
};

export type LiveReactor = ReactorAttributes &
  Authorship & {
    status: 'live';
    id: string;
    tenantId: string;
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
      ...creation(event),
    };
  }
  if (state.status !== 'live') return state;
  switch (event.type) {
    case 'reactor.updated':
      return {
        ...state,
        ...attributesIn(event),
        ...modification(event),
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
