import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomId } from '#src/identifiers.ts';
import { act, ask, givenCard, givenConnection, pay } from '#test/orchestration/support/payments.ts';
import type { Problem } from '#test/orchestration/support/payments.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; connection: string; card: string };

const badInput = suite<Context>('bad input of transactions');

badInput.before(async (context) => {
  context.service = await startVaultService();
  context.connection = await givenConnection(context.service);
  context.card = await givenCard(context.service);
});
badInput.after(({ service }) => service.close());

async function count({ composition }: VaultService): Promise<number> {
  const { rows } = await composition.pools.owner.query<{ count: string }>(
    "select count(*) as count from event_log.events where stream like 'transaction-%'",
  );
  return Number(rows[0]?.count);
}

/** Members of the request that are wrong, and the member that is named. */
const wrong: readonly [object, string][] = [
  [{ amount: -1 }, 'amount'],
  [{ amount: 10.5 }, 'amount'],
  [{ amount: 100_000_000 }, 'amount'],
  [{ amount: '1050' }, 'amount'],
  [{ amount: null }, 'amount'],
  [{ amount: undefined }, 'amount'],
  [{ amount: 0, intent: 'capture' }, 'amount'],
  [{ currency: 'XYZ' }, 'currency'],
  [{ currency: 'usd' }, 'currency'],
  [{ currency: 'JPY' }, 'currency'],
  [{ country: 'XX' }, 'country'],
  [{ country: 'FR' }, 'country'],
  [{ intent: 'charge' }, 'intent'],
  [{ payment_source: 'moto' }, 'payment_source'],
  [{ merchant_initiated: true }, 'payment_source'],
  [{ merchant_initiated: true, payment_source: 'recurring' }, 'is_subsequent_payment'],
  [{ external_identifier: '' }, 'external_identifier'],
  [{ metadata: { order: 7 } }, 'metadata.order'],
  [{ three_d_session_id: 'nobody' }, 'three_d_session_id'],
];

badInput(
  'given requests that are wrong in one way each, when they are made, then it is named, and no transaction is there',
  async ({ service, connection, card }) => {
    const before = await count(service);
    const right = { amount: 1050, currency: 'USD', connection_id: connection, token: card };
    for (const [change, path] of wrong) {
      const reply = await ask<Problem>(service, { ...right, ...change });
      assert.is(reply.status, 400, JSON.stringify([change, reply.body]));
      assert.equal(Object.keys(reply.body.errors ?? {}), [path], JSON.stringify([change, reply.body]));
    }
    assert.is(await count(service), before);
  },
);

badInput(
  'given tokens and connections that are not there, or not right, when they are paid with, then 404 or 400',
  async ({ service, connection, card }) => {
    const before = await count(service);
    const right = { amount: 1050, currency: 'USD', connection_id: connection, token: card };
    const refused = async (change: object, status: number, path?: string): Promise<void> => {
      const reply = await ask<Problem>(service, { ...right, ...change });
      assert.is(reply.status, status, JSON.stringify([change, reply.body]));
      if (path !== undefined) assert.equal(Object.keys(reply.body.errors ?? {}), [path]);
    };
    const missing = async (change: object, what: string): Promise<void> => {
      const { status, body } = await ask<Problem>(service, { ...right, ...change });
      assert.equal([status, body.detail], [404, `There is no ${what} with this id.`]);
    };
    await missing({ token: randomId() }, 'token');
    await missing({ connection_id: randomId() }, 'connection');
    await missing({ connection_id: 'nonsense' }, 'connection');
    const text = await service.call<{ id: string }>('POST', '/tokens', { type: 'token', data: 'x' });
    await refused({ token: text.body.id }, 400, 'token');
    await refused({ connection_id: await givenConnection(service, { active: false }) }, 400, 'connection_id');
    const failing = { fields: [{ key: 'merchant_id', value: 'fail' }] };
    await refused({ connection_id: await givenConnection(service, failing) }, 400, 'connection_id');
    assert.is(await count(service), before);
  },
);

badInput(
  'given a caller whose rules do not cover the card, when it pays, then 403; and 403 for a mask of it',
  async ({ service, connection, card }) => {
    const before = await count(service);
    const rule = (container: string, transform: string) =>
      service.ruledKey({ container, transform, permissions: ['token:use'], description: 'x' });
    const body = { amount: 1050, currency: 'USD', connection_id: connection, token: card };
    assert.is((await ask(service, body, { key: await rule('/pci/low/', 'reveal') })).status, 403);
    assert.is((await ask(service, body, { key: await rule('/pci/high/', 'mask') })).status, 403);
    assert.is((await ask(service, body, { key: service.keys.management })).status, 403);
    assert.is(await count(service), before);
    assert.is((await ask(service, body, { key: await rule('/pci/high/', 'reveal') })).status, 201);
  },
);

badInput(
  'given amounts that a step cannot take, when it is asked for, then 400, and the transaction is as it was',
  async ({ service, connection, card }) => {
    const { id } = await pay(service, { connection_id: connection, token: card });
    for (const amount of [0, -5, 1.5, 1051, 'all']) {
      const reply = await act<Problem>(service, id, 'capture', { amount });
      assert.is(reply.status, 400, String(amount));
      assert.equal(Object.keys(reply.body.errors ?? {}), ['amount']);
    }
    assert.is((await act(service, id, 'refunds', { amount: 1 })).status, 409);
    assert.is((await act(service, id, 'capture', { amount: 1000 })).status, 200);
    assert.is((await act(service, id, 'capture')).status, 409);
    assert.is((await act(service, id, 'void')).status, 409);
    for (const amount of [0, -5, 1001]) {
      assert.is((await act(service, id, 'refunds', { amount })).status, 400, String(amount));
    }
    assert.is((await act(service, randomId(), 'capture')).status, 404);
    assert.is((await act(service, 'nonsense', 'void')).status, 404);
  },
);

badInput(
  'given an amount of 0, when it is authorized, then the card is checked, and there is nothing to capture',
  async ({ service, connection, card }) => {
    const made = await pay(service, { amount: 0, connection_id: connection, token: card });
    assert.is(made.status, 'authorization_succeeded');
    assert.is((await act(service, made.id, 'capture')).status, 409);
  },
);

badInput(
  'given a card without or past its expiry, when it is paid, then that is a declined transaction',
  async ({ service, connection }) => {
    const past = await givenCard(service, { expiration_year: 2020 });
    const bare = await givenCard(service, { expiration_month: undefined, expiration_year: undefined });
    const codes = [past, bare].map(async (token) => {
      const { status, error_code } = await pay(service, { connection_id: connection, token });
      return [status, error_code];
    });
    assert.equal(await Promise.all(codes), [
      ['authorization_declined', 'expired_payment_method'],
      ['authorization_declined', 'incorrect_expiry_date'],
    ]);
  },
);

badInput(
  'given a deleted connection, when a payment through it is captured, then 409, and it can still be read',
  async ({ service, card }) => {
    const connection = await givenConnection(service);
    const { id } = await pay(service, { connection_id: connection, token: card });
    assert.is((await service.call('DELETE', `/orchestration/connections/${connection}`)).status, 204);
    assert.is((await act(service, id, 'capture')).status, 409);
    assert.is((await service.call('GET', `/orchestration/transactions/${id}`)).status, 200);
    const body = { amount: 1050, currency: 'USD', connection_id: connection, token: card };
    assert.is((await ask(service, body)).status, 404);
  },
);

badInput.run();

const pending = suite('a connection that is being checked');

pending(
  'given no worker, when a connection stays pending, then a payment waits for two seconds, and is 409',
  async () => {
    const service = await startVaultService({ alone: true });
    const card = await givenCard(service);
    await service.stopWorker();
    try {
      const connection = await givenConnection(service);
      const began = performance.now();
      const body = { amount: 1050, currency: 'USD', connection_id: connection, token: card };
      assert.is((await ask(service, body)).status, 409);
      assert.ok(performance.now() - began >= 2_000);
      assert.is(await count(service), 0);
    } finally {
      await service.close();
    }
  },
);

pending.run();
