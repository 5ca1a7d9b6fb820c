import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { act, givenCard, givenConnection, pay, read } from '#test/orchestration/support/payments.ts';
import type { Transaction } from '#test/orchestration/support/payments.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type List = { pagination: { page_size: number; next?: string }; data: Transaction[] };
type Context = { service: VaultService; made: Transaction[]; cards: string[] };

const lists = suite<Context>('lists of transactions');

lists.before(async (context) => {
  const service = await startVaultService();
  context.service = service;
  const connections = [await givenConnection(service), await givenConnection(service)];
  context.cards = [await givenCard(service), await givenCard(service, { number: '5555555555554444' })];
  context.made = [];
  for (let index = 0; index < 7; index += 1) {
    const made = await pay(service, {
      connection_id: connections[index % 2],
      token: context.cards[Number(index > 3)],
      amount: index === 2 ? 200_012 : 100 + index,
      external_identifier: `order ${index % 3}`,
    });
    context.made.unshift(made);
  }
});
lists.after(({ service }) => service.close());

const list = async ({ call }: VaultService, query = ''): Promise<List> => {
  const reply = await call<List>('GET', `/orchestration/transactions${query}`);
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
};

const ids = (some: readonly Transaction[]): string[] => some.map(({ id }) => id);

lists(
  'given some transactions, when they are listed by cursor, then each is there once, newest first, as when it is read',
  async ({ service, made }) => {
    const seen: Transaction[] = [];
    for (let query = '?size=3'; ;) {
      const { pagination, data } = await list(service, query);
      seen.push(...data);
      if (pagination.next === undefined) break;
      query = `?size=3&start=${pagination.next}`;
    }
    assert.equal(ids(seen), ids(made));
    for (const one of seen) assert.equal(one, await read(service, one.id));
  },
);

lists(
  'given filters, when they are asked for, then what fits is listed',
  async ({ service, made, cards }) => {
    const fits = async (query: string, test: (one: Transaction) => boolean): Promise<void> => {
      assert.equal(ids((await list(service, query)).data), ids(made.filter(test)), query);
    };
    const [newest] = made as [Transaction];
    const { id: connection } = newest['connection'] as { id: string };
    await fits('?status=authorization_declined', ({ amount }) => amount === 200_012);
    await fits(`?token=${cards[1]}`, ({ payment_method }) => payment_method['token'] === cards[1]);
    await fits(
      `?connection_id=${connection}`,
      (one) => (one['connection'] as { id: string }).id === connection,
    );
    await fits('?external_identifier=order+1', (one) => one['external_identifier'] === 'order 1');
    await fits(`?reconciliation_id=${newest.reconciliation_id}`, ({ id }) => id === newest.id);
    await fits(
      `?connection_transaction_id=${newest.connection_transaction_id}`,
      ({ id }) => id === newest.id,
    );
    await fits(
      `?external_identifier=order+1&token=${cards[0]}`,
      (one) => one['external_identifier'] === 'order 1' && one.payment_method['token'] === cards[0],
    );
    await fits('?reconciliation_id=-', () => false);
    const reply = await service.call('GET', '/orchestration/transactions?status=unheard_of');
    assert.is(reply.status, 400);
    assert.is((await service.call('GET', '/orchestration/transactions?start=here')).status, 400);
  },
);

lists(
  'given every step, when transactions are listed, then they show what reads of each show',
  async ({ service, made }) => {
    const [one, two, three] = made as [Transaction, Transaction, Transaction];
    await act(service, one.id, 'capture');
    await act(service, one.id, 'refunds', { amount: 40 });
    await act(service, one.id, 'refunds', { amount: 2 });
    await act(service, two.id, 'void');
    await act(service, three.id, 'capture', { amount: 50 });
    const { data } = await list(service);
    for (const each of data) assert.equal(each, await read(service, each.id));
    assert.is(data[0]?.refunded_amount, 42);
  },
);

lists.run();
