import type { Decision } from '#domain/event.ts';
import type { ProxyEvent } from '#domain/proxy/events.ts';
import { codeOf, reactorIdOf } from '#domain/proxy/state.ts';
import type { ProxyAttributes, ProxyState } from '#domain/proxy/state.ts';

export function createProxy(
  state: ProxyState,
  { id, ...attributes }: ProxyAttributes & { id: string },
): Decision<ProxyEvent> {
  if (state.status !== 'absent') {
    return { refused: 'already_exists', detail: 'The proxy exists already, or has existed.' };
  }
  return [{ type: 'proxy.created', data: { id, ...recorded(attributes) } }];
}

/** Replaces all attributes; what a client does not change, the caller fills in. */
export function updateProxy(state: ProxyState, attributes: ProxyAttributes): Decision<ProxyEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  const { id, payloadId } = state;
  return [{ type: 'proxy.updated', data: { id, previous_payload_id: payloadId, ...recorded(attributes) } }];
}

export function deleteProxy(state: ProxyState): Decision<ProxyEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  return [{ type: 'proxy.deleted', data: { id: state.id, payload_id: state.payloadId } }];
}

const recorded = (attributes: ProxyAttributes) => ({
  name: attributes.name,
  request_transform: codeOf(attributes.requestTransform),
  response_transform: codeOf(attributes.responseTransform),
  request_reactor_id: reactorIdOf(attributes.requestTransform),
  response_reactor_id: reactorIdOf(attributes.responseTransform),
  application_id: attributes.applicationId,
  require_auth: attributes.requireAuth,
  payload_id: attributes.payloadId,
});
