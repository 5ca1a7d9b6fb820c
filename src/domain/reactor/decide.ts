import type { Decision } from '#domain/event.ts';
import type { ReactorEvent } from '#domain/reactor/events.ts';
import type { ReactorAttributes, ReactorState } from '#domain/reactor/state.ts';

export function createReactor(
  state: ReactorState,
  { id, ...attributes }: ReactorAttributes & { id: string },
): Decision<ReactorEvent> {
  if (state.status !== 'absent') {
    return { refused: 'already_exists', detail: 'The reactor exists already, or has existed.' };
  }
  return [{ type: 'reactor.created', data: { id, ...recorded(attributes) } }];
}

/** Replaces all attributes; what a client does not change, the caller fills in. */
export function updateReactor(state: ReactorState, attributes: ReactorAttributes): Decision<ReactorEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  const { id, payloadId } = state;
  return [{ type: 'reactor.updated', data: { id, previous_payload_id: payloadId, ...recorded(attributes) } }];
}

export function deleteReactor(state: ReactorState): Decision<ReactorEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  return [{ type: 'reactor.deleted', data: { id: state.id, payload_id: state.payloadId } }];
}

const recorded = ({ name, code, applicationId, payloadId }: ReactorAttributes) => ({
  name,
  code,
  application_id: applicationId,
  payload_id: payloadId,
});
