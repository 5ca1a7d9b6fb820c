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
    case 'reactor.signed':
      return state;
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
  signed: (state) => (state.status === 'live' ? signedReactor(state) : undefined),
};

/** What of a reactor decides what runs, and with whose rights, as it is signed: of its code, the digest counts. */
export const signedReactor = ({
  applicationId,
  payloadId,
  ...rest
}: Pick<ReactorAttributes, 'applicationId' | 'payloadId'> &
  ({ code: string } | { codeDigest: string })): object => ({
  ...('code' in rest ? { code_text: rest.code } : { code_digest: rest.codeDigest }),
  application_id: applicationId ?? null,
  payload_id: payloadId,
});
