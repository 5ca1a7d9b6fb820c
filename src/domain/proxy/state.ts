import { creation, modification } from '#domain/authorship.ts';
import type { Authorship } from '#domain/authorship.ts';
import { unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { ProxyEvent } from '#domain/proxy/events.ts';

/**
 * What changes a message on its way: code of the proxy's own, or a reactor, which may have been deleted meanwhile.
 * Where there are both, the code runs, and the reactor is on record.
 */
export type Transform = { code: string; reactorId?: string } | { reactorId: string };

export type ProxyAttributes = {
  name: string;
  requestTransform: Transform | undefined;
  responseTransform: Transform | undefined;
  /** It may have been deleted meanwhile. */
  applicationId: string | undefined;
  /** Whether it only serves who has a key of the tenant. */
  requireAuth: boolean;
  payloadId: string;
};

export type LiveProxy = ProxyAttributes &
  Authorship & {
    status: 'live';
    id: string;
    tenantId: string;
  };

export type ProxyState = { status: 'absent' } | LiveProxy | { status: 'gone' };

export const initialProxy: ProxyState = { status: 'absent' };

/** Folds one event into the state of a proxy. */
export function evolveProxy(state: ProxyState, event: ProxyEvent): ProxyState {
  if (event.type === 'proxy.created') {
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
    case 'proxy.updated':
      return { ...state, ...attributesIn(event), ...modification(event) };
    case 'proxy.deleted':
      return { status: 'gone' };
    case 'proxy.signed':
      return state;
    default:
      return unreachable(event);
  }
}

const attributesIn = ({
  data,
}: Extract<ProxyEvent, { type: 'proxy.created' | 'proxy.updated' }>): ProxyAttributes => ({
  name: data.name,
  requestTransform: transformOf(data.request_transform, data.request_reactor_id),
  responseTransform: transformOf(data.response_transform, data.response_reactor_id),
  applicationId: data.application_id,
  requireAuth: data.require_auth,
  payloadId: data.payload_id,
});

/** As it is kept: in two members. */
export function transformOf(
  code: string | null | undefined,
  reactorId: string | null | undefined,
): Transform | undefined {
  const reactor = reactorId === undefined || reactorId === null ? undefined : { reactorId };
  return code === undefined || code === null ? reactor : { code, ...reactor };
}

export const codeOf = (transform: Transform | undefined): string | undefined =>
  transform !== undefined && 'code' in transform ? transform.code : undefined;

export const reactorIdOf = (transform: Transform | undefined): string | undefined => transform?.reactorId;

export const proxyFold: Fold<ProxyState, ProxyEvent> = {
  initial: initialProxy,
  evolve: evolveProxy,
  signed: (state) => (state.status === 'live' ? signedProxy(state) : undefined),
};

/** What of a proxy decides where plaintext goes, and whose rights its code has, as it is signed. */
export const signedProxy = (proxy: Omit<ProxyAttributes, 'name'>): object => ({
  request_transform: codeOf(proxy.requestTransform) ?? null,
  response_transform: codeOf(proxy.responseTransform) ?? null,
  request_reactor_id: reactorIdOf(proxy.requestTransform) ?? null,
  response_reactor_id: reactorIdOf(proxy.responseTransform) ?? null,
  application_id: proxy.applicationId ?? null,
  require_auth: proxy.requireAuth,
  payload_id: proxy.payloadId,
});
