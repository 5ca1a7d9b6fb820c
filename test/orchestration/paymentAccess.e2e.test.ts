import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { act, givenCard, givenConnection, historyOf, pay } from '#test/orchestration/support/payments.ts';
import type { Transaction } from '#test/orchestration/support/payments.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; connection: string; shop: string; other: string };

const access = suite<Context>('who may see and move payments');
const permissions = ['token:use'];

access.before(async (context) => {
  context.service = await startVaultService();
  const { service } = context;
  context.connection = await givenConnection(service);
  const keyFor = (container: string) =>
    service.ruledKey({ container, transform: 'reveal', permissions, description: container });
  context.shop = await keyFor('/shop/');
  context.other = await keyFor('/other/');
});
access.after(({ service }) => service.close());

async function made({ service, connection }: Context, intent = 'capture'): Promise<Transaction> {
  const token = await givenCard(service, {}, { containers: ['/shop/berlin/'] });
  return pay(service, { connection_id: connection, token, intent });
}

access(
  'given a payment with a card of a container, when others ask for it or for a step, then 403 and nothing is done',
  async (context) => {
    const { service, shop, other } = context;
    const charged = await made(context);
    const refund = await act<{ id: string }>(service, charged.id, 'refunds', { amount: 5 });
    const before = await historyOf(service, charged.id);
    const path = `/orchestration/transactions/${charged.id}`;
    for (const [method, asked] of [
      ['GET', path],
      ['GET', `${path}/refunds`],
      ['GET', `/orchestration/refunds/${refund.body.id}`],
      ['POST', `${path}/void`],
      ['POST', `${path}/refunds`],
    ] as const) {
      const body = method === 'POST' ? {} : undefined;
      const statusFor = async (key: string) => (await service.call(method, asked, body, { key })).status;
      assert.is(await statusFor(other), 403, `${method} ${asked}`);
      if (method === 'GET') assert.is(await statusFor(shop), 200, asked);
    }
    assert.equal(await historyOf(service, charged.id), before);
  },
);

access('given payments of containers, when they are listed, then each sees its own', async (context) => {
  const { service, connection, shop, other } = context;
  const own = await made(context);
  const elsewhere = await pay(service, {
    connection_id: connection,
    token: await givenCard(service, {}, { containers: ['/other/'] }),
  });
  const idsFor = async (key: string): Promise<string[]> => {
    const { body } = await service.call<{ data: Transaction[] }>(
      'GET',
      '/orchestration/transactions?size=100',
      undefined,
      { key },
    );
    return body.data.map(({ id }) => id);
  };
  assert.ok((await idsFor(shop)).includes(own.id));
  assert.equal(await idsFor(other), [elsewhere.id]);
  assert.ok((await idsFor(service.keys.private)).includes(elsewhere.id));
  assert.is((await service.call('DELETE', `/tokens/${String(own.payment_method['token'])}`)).status, 204);
  assert.ok((await idsFor(shop)).includes(own.id), 'a payment stays where its card was');
});

access('given a rule for the container, when its steps are taken, then they are done', async (context) => {
  const { service, shop } = context;
  const { id } = await made(context, 'authorize');
  const path = `/orchestration/transactions/${id}/void`;
  assert.is((await service.call('POST', path, {}, { key: shop })).status, 200);
});

access.run();
