import type { Decision } from '#domain/event.ts';
import type { InvocationEvent } from '#domain/invocation/events.ts';
import type { InvocationState } from '#domain/invocation/state.ts';

export function invoke(
  state: InvocationState,
  asked: {
    id: string;
    reactor: { id: string; name: string };
    argsPayloadId: string;
    callbackPayloadId: string | undefined;
  },
): Decision<InvocationEvent> {
  if (state.status !== 'absent') {
    return { refused: 'already_exists', detail: 'The invocation exists already.' };
  }
  return [
    {
      type: 'reactor.invoked',
      data: {
        id: asked.reactor.id,
        name: asked.reactor.name,
        request_id: asked.id,
        invocation_type: 'async',
        args_payload_id: asked.argsPayloadId,
        ...(asked.callbackPayloadId === undefined ? {} : { callback_payload_id: asked.callbackPayloadId }),
      },
    },
  ];
}

/** Nothing when it was started before: it is not run again. */
export function begin(state: InvocationState): Decision<InvocationEvent> {
  if (state.status !== 'pending') return [];
  return [{ type: 'reactor.started', data: { id: state.reactorId, request_id: state.id } }];
}

export type Ending = {
  status: number;
  elapsedMilliseconds: number;
  resultPayloadId: string;
  /** Undefined: it completed. */
  failure: { reason: 'code' | 'interrupted' | 'too_late'; error: string } | undefined;
};

/** Nothing when it has ended otherwise meanwhile. */
export function end(state: InvocationState, ending: Ending): Decision<InvocationEvent> {
  if (state.status !== 'pending' && state.status !== 'running') return [];
  const data = {
    id: state.reactorId,
    ...(state.reactorName === undefined ? {} : { name: state.reactorName }),
    request_id: state.id,
    invocation_type: 'async' as const,
    status: ending.status,
    elapsed_ms: ending.elapsedMilliseconds,
    args_payload_id: state.argsPayloadId,
    result_payload_id: ending.resultPayloadId,
  };
  return ending.failure === undefined
    ? [{ type: 'reactor.completed', data }]
    : [{ type: 'reactor.failed', data: { ...data, ...ending.failure } }];
}

export type Attempt = {
  /** 1 is the first. */
  number: number;
  accepted: boolean;
  /** The HTTP status that came back, or the kind of obstacle. */
  outcome: string;
  /** ISO 8601; undefined: it is not tried again. */
  nextAt: string | undefined;
};

/** Records how an attempt to deliver ended; nothing when it was recorded before. */
export function recordAttempt(state: InvocationState, attempt: Attempt): Decision<InvocationEvent> {
  if (state.status !== 'completed' && state.status !== 'failed') return [];
  const { callback } = state;
  if (callback?.status !== 'pending' || callback.attempts + 1 !== attempt.number) return [];
  const facts = {
    id: state.reactorId,
    request_id: state.id,
    attempt: attempt.number,
    outcome: attempt.outcome,
  };
  const last = { ...facts, callback_payload_id: callback.payloadId };
  if (attempt.accepted) return [{ type: 'reactor.callback.delivered', data: last }];
  if (attempt.nextAt === undefined) return [{ type: 'reactor.callback.failed', data: last }];
  return [{ type: 'reactor.callback.deferred', data: { ...facts, next_at: attempt.nextAt } }];
}
