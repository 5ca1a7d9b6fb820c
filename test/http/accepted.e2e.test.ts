import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startReceiver } from '#test/reactors/support/invocations.ts';
import type { Receiver } from '#test/reactors/support/invocations.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; receiver: Receiver };

const accepted = suite<Context>('http: what is accepted, and done later');

accepted.before(async (context) => {
  context.receiver = await startReceiver();
  context.service = await startVaultService({ environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' } });
});
accepted.after(async ({ service, receiver }) => {
  await service.close();
  await receiver.close();
});

const json = 'application/json; charset=utf-8';

async function assertEmptyObject({ url, keys }: VaultService, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'BT-API-KEY': keys.management, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(
    [response.status, response.headers.get('content-type'), await response.text()],
    [202, json, '{}'],
    path,
  );
}

accepted(
  'given a call with a callback, when it is accepted, then the answer is {}',
  async ({ service, receiver }) => {
    const code = 'module.exports = async () => ({ raw: 1 });';
    const { call, keys } = service;
    const management = { key: keys.management };
    const reactor = await call<{ id: string }>('POST', '/reactors', { name: 'r', code }, management);
    const response = await call(
      'POST',
      `/reactors/${reactor.body.id}/react`,
      { args: {}, callback_url: receiver.url },
      { key: keys.private },
    );
    assert.equal([response.status, response.headers.get('content-type'), response.body], [202, json, {}]);
    assert.is(response.headers.get('content-length'), '2');
  },
);

accepted(
  'given a webhook, when it is pinged, or a delivery is retried, then the answer is {}',
  async ({ service, receiver }) => {
    const { call, keys } = service;
    const management = { key: keys.management };
    const webhook = { name: 'w', url: receiver.url, events: ['token.created'] };
    const { body } = await call<{ id: string }>('POST', '/webhooks', webhook, management);
    await assertEmptyObject(service, `/webhooks/${body.id}/ping`, {});
    const path = `/webhooks/${body.id}/deliveries`;
    const delivery = await until(async () => {
      const list = await call<{ data: { id: string }[] }>('GET', path, undefined, management);
      return list.body.data[0];
    });
    await assertEmptyObject(service, `${path}/${delivery.id}/retry`, {});
  },
);

accepted.run();
