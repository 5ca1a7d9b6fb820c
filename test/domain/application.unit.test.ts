import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createApplication,
  createKey,
  deleteApplication,
  deleteKey,
  regenerateKey,
} from '#domain/application/decide.ts';
import type { ApplicationEvent } from '#domain/application/events.ts';
import { evolveApplication, initialApplication } from '#domain/application/state.ts';
import type { ApplicationState } from '#domain/application/state.ts';
import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';

const metadata = {
  tenant_id: 'a1b2',
  actor: { type: 'system', id: 'test' },
  occurred_at: '2026-01-02T03:04:05.000Z',
} as const;

const happened = (decision: Decision<ApplicationEvent>): ApplicationEvent[] => {
  if (isRefusal(decision)) throw new Error(`refused: ${decision.refused}`);
  return decision.map((event) => ({ ...event, metadata }) as ApplicationEvent);
};
const after = (state: ApplicationState, decision: Decision<ApplicationEvent>): ApplicationState =>
  happened(decision).reduce(evolveApplication, state);

const fresh = after(
  initialApplication,
  createApplication(initialApplication, {
    id: 'app',
    type: 'private',
    name: 'Checkout',
    permissions: ['token:create'],
    rules: [],
    everyPermission: false,
    publicFingerprints: false,
    origins: [],
    expiresAt: undefined,
    keyId: 'k1',
  }),
);

const application = suite('application');

application('given nothing, when an application is created with a key, then it lives with that key', () => {
  assert.is(fresh.status, 'live');
  assert.equal(fresh.status === 'live' && fresh.keys.map((key) => key.id), ['k1']);
});

application('given three keys, when a fourth is asked for, then that is refused until one is deleted', () => {
  const full = ['k2', 'k3'].reduce((state, id) => after(state, createKey(state, id)), fresh);
  const refusal = createKey(full, 'k4');
  assert.ok(isRefusal(refusal) && refusal.refused === 'unprocessable');
  const roomy = after(full, deleteKey(full, 'k2'));
  assert.not.ok(isRefusal(createKey(roomy, 'k4')));
});

application('given an application, when a key that it does not have is deleted, then it is not found', () => {
  assert.equal(deleteKey(fresh, 'k9'), { refused: 'not_found' });
});

application('given a deleted application, when anything is asked of it, then it is not found', () => {
  const gone = after(fresh, deleteApplication(fresh, 'requested'));
  assert.equal(gone, { status: 'gone' });
  assert.equal(createKey(gone, 'k2'), { refused: 'not_found' });
  assert.equal(deleteApplication(gone, 'expired'), { refused: 'not_found' });
});

application('given an application with keys, when it is deleted, then the event names its keys', () => {
  const [event] = happened(deleteApplication(fresh, 'expired'));
  assert.equal(event?.data, { id: 'app', reason: 'expired', key_ids: ['k1'] });
});

application('given exactly one key, when it is regenerated, then the new one takes its place', () => {
  const regenerated = after(fresh, regenerateKey(fresh, 'k2'));
  assert.equal(regenerated.status === 'live' && regenerated.keys.map(({ id }) => id), ['k2']);
});

application('given two keys or none, when one is to be regenerated, then that is refused', () => {
  const two = after(fresh, createKey(fresh, 'k2'));
  const none = after(fresh, deleteKey(fresh, 'k1'));
  for (const state of [two, none]) {
    const decision = regenerateKey(state, 'k3');
    assert.is(isRefusal(decision) && decision.refused, 'unprocessable');
  }
});

application.run();
