import { authorOf, unreachable } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import type { TokenEvent } from '#domain/token/events.ts';

export type TokenAttributes = {
  payloadId: string;
  mask: unknown;
  containers: readonly string[];
  metadata: Readonly<Record<string, string>> | undefined;
  searchIndexes: readonly string[] | undefined;
  fingerprintExpression: string;
  expiresAt: string | undefined;
};

export type LiveToken = TokenAttributes & {
  status: 'live';
  id: string;
  tenantId: string;
  type: string;
  createdBy: string | undefined;
  createdAt: string;
  modifiedBy: string | undefined;
  modifiedAt: string | undefined;
  /** The payload whose short-lived property is known to be gone. */
  lapsedPayloadId?: string;
};

/** `gone`: deleted or expired; its id is never used again. */
export type TokenState = { status: 'absent' } | LiveToken | { status: 'gone' };

export const initialToken: TokenState = { status: 'absent' };

/** Folds one event into the state of a token. */
export function evolveToken(state: TokenState, event: TokenEvent): TokenState {
  const author = authorOf(event);
  switch (event.type) {
    case 'token.created':
      return {
        status: 'live',
        id: event.data.id,
        tenantId: event.metadata.tenant_id,
        type: event.data.type,
        ...attributesOf(event.data),
        createdBy: author,
        createdAt: event.metadata.occurred_at,
        modifiedBy: undefined,
        modifiedAt: undefined,
      };
    case 'token.updated':
      if (state.status !== 'live') return state;
      return {
        ...state,
        ...attributesOf(event.data),
        modifiedBy: author,
        modifiedAt: event.metadata.occurred_at,
      };
    case 'token.property.expired':
      return state.status === 'live' ? { ...state, lapsedPayloadId: event.data.payload_id } : state;
    case 'token.deleted':
    case 'token.expired':
      return { status: 'gone' };
    default:
      return unreachable(event);
  }
}

/** Updates tell all of a token, but those of early versions, which left out what an update does not change. */
function restoreToken(event: TokenEvent): TokenState | undefined {
  if (event.type !== 'token.updated') return undefined;
  const { id, type, created_by, created_at } = event.data;
  if (type === undefined || created_at === undefined) return undefined;
  return {
    status: 'live',
    id,
    tenantId: event.metadata.tenant_id,
    type,
    ...attributesOf(event.data),
    createdBy: created_by,
    createdAt: created_at,
    modifiedBy: authorOf(event),
    modifiedAt: event.metadata.occurred_at,
  };
}

export const tokenFold: Fold<TokenState, TokenEvent> = {
  initial: initialToken,
  evolve: evolveToken,
  restore: restoreToken,
};

type RecordedAttributes = Extract<TokenEvent, { type: 'token.created' | 'token.updated' }>['data'];

function attributesOf(data: RecordedAttributes): TokenAttributes {
  return {
    payloadId: data.payload_id,
    mask: data.mask,
    containers: data.containers,
    metadata: data.metadata,
    searchIndexes: data.search_indexes,
    fingerprintExpression: data.fingerprint_expression,
    expiresAt: data.expires_at,
  };
}
