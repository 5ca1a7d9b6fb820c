import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BindBt } from '#src/reactors/bt.ts';
import { createBt } from '#src/reactors/bt.ts';
import { StoreUnavailable } from '#ports/readModels.ts';
import { brief, entries, forget } from '#test/audit/support/entries.ts';
import { ask, lender, lendingOf, origin } from '#test/reactors/bt/support/lending.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

let service: VaultService;
let lending: BindBt;
const bt = suite('bt: the service as code calls it');

const lent = (applicationId: string, tenantId = service.tenantId) =>
  lending({ tenantId, applicationId }, origin);
const token = { type: 'token', data: 'secret' };

bt.before(async () => {
  service = await startVaultService();
  lending = lendingOf(service);
});
bt.after(() => service.close());

bt('given an application that may create tokens, then code may do that, and nothing else', async () => {
  const applicationId = await lender(service, ['token:create']);
  const call = lent(applicationId);
  const made = await ask(call, 'POST', '/tokens', token);
  assert.is(made.status, 201);
  const { id, created_by } = made.body as { id: string; created_by: string };
  assert.is(created_by, applicationId);
  const read = await ask(call, 'GET', `/tokens/${id}`);
  assert.is(read.status, 403);
  assert.equal(read.body, {
    title: 'Forbidden',
    status: 403,
    detail: 'The application lacks the permission token:read.',
  });
  assert.is(read.headers['content-type'], 'application/problem+json');
  assert.is((await ask(call, 'POST', '/applications', { name: 'x', type: 'private' })).status, 403);
});

bt(
  'given calls by code, then the audit log names the application, no key, and where the chain began',
  async () => {
    const applicationId = await lender(service, ['token:create', 'token:read']);
    const call = lent(applicationId);
    const { id } = (await ask(call, 'POST', '/tokens', token)).body as { id: string };
    await forget(service);
    await ask(call, 'GET', `/tokens/${id}`);
    await ask(call, 'DELETE', `/tokens/${id}`);
    assert.equal(await brief(service), [
      ['read', 'token', id, 'succeeded', 200, 'mask'],
      ['delete', 'token', id, 'refused', 403, ''],
    ]);
    for (const entry of await entries(service)) {
      assert.equal([entry['actor_type'], entry['actor_id']], ['application', applicationId]);
      assert.equal([entry['trace_id'], entry['address']], [origin.traceId, origin.address]);
    }
    const other = (await ask(call, 'POST', '/tokens', token)).body as { id: string };
    const written = await until(async () => {
      const { rows } = await service.composition.pools.owner.query<Record<string, string>>(
        'select actor_id, key_id, address from audit.entries where entity_id = $1 and event_id is not null',
        [other.id],
      );
      return rows[0];
    });
    assert.equal(written, { actor_id: applicationId, key_id: '', address: origin.address });
    const key = await loggerKey();
    const logs = await service.call<{ data: object[] }>('GET', `/logs?entity_id=${other.id}`, undefined, {
      key,
    });
    assert.is(logs.status, 200);
    assert.equal(logs.body.data.length, 1);
    assert.not.ok('key_id' in (logs.body.data[0] ?? {}));
  },
);

async function loggerKey(): Promise<string> {
  const application = { name: 'logs', type: 'management', permissions: ['log:read'] };
  const { keys } = service;
  const reply = await service.call<{ key: string }>('POST', '/applications', application, {
    key: keys.management,
  });
  return reply.body.key;
}

bt('given an application that is changed or deleted meanwhile, then the next call knows it', async () => {
  const applicationId = await lender(service, ['token:create']);
  const call = lent(applicationId);
  assert.is((await ask(call, 'POST', '/tokens', token)).status, 201);
  const asManager = { key: service.keys.management };
  const changes = { name: 'changed', permissions: ['token:read'] };
  await service.call('PUT', `/applications/${applicationId}`, changes, asManager);
  await until(async () => (await ask(call, 'POST', '/tokens', token)).status === 403);
  await service.call('DELETE', `/applications/${applicationId}`, undefined, asManager);
  const refused = await until(async () => {
    const answer = await ask(call, 'GET', '/tokens');
    return answer.status === 401 ? answer : undefined;
  });
  assert.is((refused.body as { title: string }).title, 'Unauthorized');
  assert.is((await ask(lent(randomUUID()), 'GET', '/tokens')).status, 401);
});

bt('given an application that has expired, then its code is refused', async () => {
  const applicationId = await lender(service, ['token:read'], {
    expires_at: new Date(Date.now() + 1_500).toISOString(),
  });
  const call = lent(applicationId);
  assert.is((await ask(call, 'GET', '/tokens?size=1')).status, 200);
  await until(async () => (await ask(call, 'GET', '/tokens?size=1')).status === 401);
});

bt('given an application of a moment ago, then its code may call at once', async () => {
  const call = lent(await lender(service, ['token:create']));
  assert.is((await ask(call, 'POST', '/tokens', token)).status, 201);
});

bt('given an idempotency key, when a call is repeated, then it is carried out once', async () => {
  const call = lent(await lender(service, ['token:create']));
  const once = { 'BT-IDEMPOTENCY-KEY': randomUUID() };
  const first = await ask(call, 'POST', '/tokens', token, once);
  const second = await ask(call, 'POST', '/tokens', { type: 'token', data: 'other' }, once);
  assert.is(second.status, 201);
  assert.equal(second.body, first.body);
  const elsewhere = lent(await lender(service, ['token:create']));
  const theirs = await ask(elsewhere, 'POST', '/tokens', token, once);
  assert.is.not((theirs.body as { id: string }).id, (first.body as { id: string }).id);
});

bt('given two tenants, then neither sees what the other has', async () => {
  const { management } = await service.anotherTenant();
  const theirs = await lender(service, ['token:read', 'token:create'], {}, management);
  const mine = lent(await lender(service, ['token:read', 'token:create']));
  const { id } = (await ask(mine, 'POST', '/tokens', token)).body as { id: string };
  const reply = await service.call<{ tenant_id: string }>('GET', `/applications/${theirs}`, undefined, {
    key: management,
  });
  const other = lent(theirs, reply.body.tenant_id);
  assert.is((await ask(other, 'GET', '/tokens')).status, 200);
  assert.is((await ask(other, 'GET', `/tokens/${id}`)).status, 404);
  assert.equal((await ask(other, 'GET', '/tokens')).body.data, []);
  // The application of one tenant under the id of another is nobody.
  assert.is((await ask(lent(theirs), 'GET', '/tokens')).status, 401);
});

bt('given headers that say who calls, then they do nothing', async () => {
  const call = lent(await lender(service, ['token:create']));
  const forged = { 'BT-API-KEY': service.keys.private, 'X-Forwarded-For': '198.51.100.1' };
  assert.is((await ask(call, 'GET', '/tokens', undefined, forged)).status, 403);
  const lies = {
    lent: '{"depth":0}',
    'x-lent': service.tenantId,
    'x-caller': service.tenantId,
    'bt-application-id': service.tenantId,
  };
  assert.is((await service.call('GET', '/tokens', undefined, { key: '', headers: lies })).status, 401);
});

bt('given rights that cannot be read, then the answer is 503 and not 401', async () => {
  const accessDirectory = { ofApplication: () => Promise.reject(new StoreUnavailable('gone')) };
  const down = createBt({ accessDirectory, dispatch: () => assert.unreachable() as never });
  const call = down({ tenantId: service.tenantId, applicationId: randomUUID() }, origin);
  assert.is((await ask(call, 'GET', '/tokens')).status, 503);
});

bt.run();
