import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';
import { createProxy, deleteProxy, updateProxy } from '#domain/proxy/decide.ts';
import type { ProxyEvent } from '#domain/proxy/events.ts';
import { evolveProxy, initialProxy } from '#domain/proxy/state.ts';
import type { ProxyState } from '#domain/proxy/state.ts';

const metadata = {
  tenant_id: 'a1b2',
  actor: { type: 'application', id: 'c3d4' },
  occurred_at: '2026-01-02T03:04:05.000Z',
} as const;

const after = (state: ProxyState, decision: Decision<ProxyEvent>): ProxyState => {
  if (isRefusal(decision)) throw new Error(`refused: ${decision.refused}`);
  return decision.map((event) => ({ ...event, metadata }) as ProxyEvent).reduce(evolveProxy, state);
};

const attributes = {
  name: 'one',
  requestTransform: { code: 'code' },
  responseTransform: { reactorId: 'r1' },
  applicationId: 'app1',
  requireAuth: false,
  payloadId: 'p1',
};
const fresh = after(initialProxy, createProxy(initialProxy, { id: 'x1', ...attributes }));

const proxy = suite('proxy');

proxy('given nothing, when a proxy is created, then it lives with all it was given', () => {
  const { occurred_at: createdAt } = metadata;
  assert.equal(fresh, {
    ...{ status: 'live', id: 'x1', tenantId: 'a1b2' },
    ...attributes,
    ...{ createdBy: 'c3d4', createdAt, modifiedBy: undefined, modifiedAt: undefined },
  });
});

proxy('given a proxy, when it is updated, then all is replaced, and the event names both payloads', () => {
  const changes = {
    name: 'two',
    requestTransform: undefined,
    responseTransform: { code: 'other' },
    applicationId: undefined,
    requireAuth: true,
    payloadId: 'p2',
  };
  const decision = updateProxy(fresh, changes);
  assert.ok(!isRefusal(decision));
  assert.equal(
    [decision[0]?.type, 'previous_payload_id' in (decision[0]?.data ?? {})],
    ['proxy.updated', true],
  );
  const { occurred_at: modifiedAt } = metadata;
  assert.equal(after(fresh, decision), { ...fresh, ...changes, modifiedBy: 'c3d4', modifiedAt });
});

proxy('given a proxy, when it is deleted, then the event names what the vault is to forget', () => {
  assert.equal(deleteProxy(fresh), [{ type: 'proxy.deleted', data: { id: 'x1', payload_id: 'p1' } }]);
});

proxy('given a proxy that is gone, when anything is asked, then it is not found, and not made again', () => {
  const gone = after(fresh, deleteProxy(fresh));
  assert.equal(gone, { status: 'gone' });
  assert.equal(updateProxy(gone, attributes), { refused: 'not_found' });
  assert.equal(deleteProxy(gone), { refused: 'not_found' });
  assert.ok(isRefusal(createProxy(gone, { id: 'x1', ...attributes })));
  assert.equal(after(gone, []), gone);
});

proxy.run();
