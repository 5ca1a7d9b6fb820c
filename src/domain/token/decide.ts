import type { Decision } from '#domain/event.ts';
import type { TokenEvent } from '#domain/token/events.ts';
import type { LiveToken, TokenAttributes, TokenState } from '#domain/token/state.ts';

export type NewToken = TokenAttributes & { id: string; type: string };

/** A token may be created once; the id of a token that is gone is not given out again. */
export function createToken(state: TokenState, token: NewToken): Decision<TokenEvent> {
  if (state.status !== 'absent') {
    return { refused: 'already_exists', detail: 'A token with this id exists, or has existed.' };
  }
  return [
    {
      type: 'token.created',
      data: { id: token.id, type: token.type, ...recorded(token) },
    },
  ];
}

/** Replaces every attribute of a live token. */
export function updateToken(state: TokenState, attributes: TokenAttributes): Decision<TokenEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  return [
    {
      type: 'token.updated',
      data: {
        id: state.id,
        previous_payload_id: state.payloadId,
        previous_containers: [...state.containers],
        type: state.type,
        created_by: state.createdBy,
        created_at: state.createdAt,
        ...recorded(attributes),
      },
    },
  ];
}

export function deleteToken(state: TokenState): Decision<TokenEvent> {
  if (state.status !== 'live') return { refused: 'not_found' };
  return [{ type: 'token.deleted', data: ending(state) }];
}

/** Ends a token whose time has come; one that is gone, or was given more time, is left alone. */
export function expireToken(
  state: TokenState,
  isExpired: (expiresAt: string) => boolean,
): Decision<TokenEvent> {
  if (state.status !== 'live' || state.expiresAt === undefined || !isExpired(state.expiresAt)) return [];
  return [{ type: 'token.expired', data: ending(state) }];
}

/** Says once that the short-lived property of a payload is gone; of a payload that was replaced it says nothing. */
export function lapseProperty(
  state: TokenState,
  payloadId: string,
  property: string | undefined,
): Decision<TokenEvent> {
  if (state.status !== 'live' || state.payloadId !== payloadId || property === undefined) return [];
  if (state.lapsedPayloadId === payloadId) return [];
  return [
    {
      type: 'token.property.expired',
      data: { id: state.id, payload_id: payloadId, property_name: property },
    },
  ];
}

function ending({ id, type, payloadId, containers }: LiveToken) {
  return { id, payload_id: payloadId, type, containers: [...containers] };
}

function recorded(attributes: TokenAttributes) {
  return {
    payload_id: attributes.payloadId,
    mask: attributes.mask,
    containers: [...attributes.containers],
    metadata: attributes.metadata,
    search_indexes: attributes.searchIndexes === undefined ? undefined : [...attributes.searchIndexes],
    fingerprint_expression: attributes.fingerprintExpression,
    expires_at: attributes.expiresAt,
  };
}
