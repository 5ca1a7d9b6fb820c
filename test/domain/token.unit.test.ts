import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createToken, deleteToken, expireToken, updateToken } from '#domain/token/decide.ts';
import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';
import type { TokenEvent } from '#domain/token/events.ts';
import { evolveToken, initialToken } from '#domain/token/state.ts';
import type { TokenState } from '#domain/token/state.ts';

const metadata = {
  tenant_id: 'a1b2',
  actor: { type: 'application', id: 'c3d4' },
  occurred_at: '2026-01-02T03:04:05.000Z',
} as const;

const attributes = {
  payloadId: 'p1',
  mask: undefined,
  containers: ['/general/high/'],
  metadata: undefined,
  searchIndexes: undefined,
  fingerprintExpression: '{{ data | stringify }}',
  expiresAt: undefined,
};

const happened = (decision: Decision<TokenEvent>): TokenEvent[] => {
  if (isRefusal(decision)) throw new Error(`refused: ${decision.refused}`);
  return decision.map((event) => ({ ...event, metadata }) as TokenEvent);
};
const given = (...events: TokenEvent[][]): TokenState => events.flat().reduce(evolveToken, initialToken);

const created = happened(createToken(initialToken, { ...attributes, id: 'abc', type: 'token' }));
const live = given(created);

const token = suite('token');

token('given nothing, when a token is created, then it lives with its attributes and author', () => {
  assert.equal(live, {
    status: 'live',
    id: 'abc',
    tenantId: 'a1b2',
    type: 'token',
    ...attributes,
    createdBy: 'c3d4',
    createdAt: metadata.occurred_at,
    modifiedBy: undefined,
    modifiedAt: undefined,
  });
});

token('given a live token, when its id is used again, then that is refused', () => {
  assert.equal(createToken(live, { ...attributes, id: 'abc', type: 'token' }), {
    refused: 'already_exists',
    detail: 'A token with this id exists, or has existed.',
  });
});

token('given a deleted token, when its id is used again, then that is refused too', () => {
  const gone = given(created, happened(deleteToken(live)));
  assert.ok(isRefusal(createToken(gone, { ...attributes, id: 'abc', type: 'token' })));
});

token('given a live token, when it is updated, then the event names the payload it replaces', () => {
  const [event] = happened(updateToken(live, { ...attributes, payloadId: 'p2', containers: ['/pii/'] }));
  assert.is(event?.type, 'token.updated');
  assert.equal(event?.data, {
    id: 'abc',
    previous_payload_id: 'p1',
    previous_containers: ['/general/high/'],
    type: 'token',
    created_by: 'c3d4',
    created_at: metadata.occurred_at,
    payload_id: 'p2',
    mask: undefined,
    containers: ['/pii/'],
    metadata: undefined,
    search_indexes: undefined,
    fingerprint_expression: '{{ data | stringify }}',
    expires_at: undefined,
  });
});

token('given a deleted token, when it is updated or deleted, then it is not found', () => {
  const gone = given(created, happened(deleteToken(live)));
  assert.equal(updateToken(gone, attributes), { refused: 'not_found' });
  assert.equal(deleteToken(gone), { refused: 'not_found' });
});

token('given a token with a time, when that has come, then it expires, and not before, and not twice', () => {
  const mortal = given(
    happened(
      createToken(initialToken, {
        ...attributes,
        id: 'abc',
        type: 'token',
        expiresAt: '2030-01-01T00:00:00+00:00',
      }),
    ),
  );
  assert.equal(
    expireToken(mortal, () => false),
    [],
  );
  const expired = happened(expireToken(mortal, () => true));
  assert.is(expired[0]?.type, 'token.expired');
  assert.equal(
    expireToken(given(expired), () => true),
    [],
  );
});

token('given a token without a time, when expiry looks at it, then nothing happens', () => {
  assert.equal(
    expireToken(live, () => true),
    [],
  );
});

token.run();
