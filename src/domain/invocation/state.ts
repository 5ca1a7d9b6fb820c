import { authorOf, unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { InvocationEvent } from '#domain/invocation/events.ts';

/** Where the answer is to be sent, and how that stands. */
export type Callback = {
  status: 'pending' | 'delivered' | 'failed';
  payloadId: string;
  /** Attempts that were made. */
  attempts: number;
  /** ISO 8601; undefined: at once. */
  nextAt: string | undefined;
};

type Facts = {
  id: string;
  reactorId: string;
  reactorName: string | undefined;
  /** The application that asked. */
  applicationId: string | undefined;
  argsPayloadId: string;
  /** Undefined: the answer is asked for. */
  callback: Callback | undefined;
};

export type OpenInvocation = Facts & { status: 'pending' | 'running' };
export type EndedInvocation = Facts & { status: 'completed' | 'failed'; resultPayloadId: string };
export type InvocationState = { status: 'absent' } | OpenInvocation | EndedInvocation;

/** Folds one event into the state of an asynchronous invocation. */
export function evolveInvocation(state: InvocationState, event: InvocationEvent): InvocationState {
  if (event.type === 'reactor.invoked') {
    const { id, name, request_id, args_payload_id, callback_payload_id } = event.data;
    return {
      status: 'pending',
      id: request_id,
      reactorId: id,
      reactorName: name,
      applicationId: authorOf(event),
      argsPayloadId: args_payload_id,
      callback:
        callback_payload_id === undefined
          ? undefined
          : { status: 'pending', payloadId: callback_payload_id, attempts: 0, nextAt: undefined },
    };
  }
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'reactor.started':
      return state.status === 'pending' ? { ...state, status: 'running' } : state;
    case 'reactor.completed':
      return { ...state, status: 'completed', resultPayloadId: event.data.result_payload_id };
    case 'reactor.failed':
      return { ...state, status: 'failed', resultPayloadId: event.data.result_payload_id };
    case 'reactor.callback.deferred':
      return withCallback(state, 'pending', event.data.attempt, event.data.next_at);
    case 'reactor.callback.delivered':
      return withCallback(state, 'delivered', event.data.attempt);
    case 'reactor.callback.failed':
      return withCallback(state, 'failed', event.data.attempt);
    default:
      return unreachable(event);
  }
}

function withCallback<State extends Facts>(
  state: State,
  status: Callback['status'],
  attempts: number,
  nextAt?: string,
): State {
  return state.callback === undefined
    ? state
    : { ...state, callback: { ...state.callback, status, attempts, nextAt } };
}

export const invocationFold: Fold<InvocationState, InvocationEvent> = {
  initial: { status: 'absent' },
  evolve: evolveInvocation,
};
