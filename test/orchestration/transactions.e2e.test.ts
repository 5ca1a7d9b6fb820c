import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ask,
  givenCard,
  givenConnection,
  historyOf,
  pay,
  read,
} from '#test/orchestration/support/payments.ts';
import type { Problem } from '#test/orchestration/support/payments.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; connection: string; card: string };

const transactions = suite<Context>('transactions');

transactions.before(async (context) => {
  context.service = await startVaultService();
  context.connection = await givenConnection(context.service);
  context.card = await givenCard(context.service);
});
transactions.after(({ service }) => service.close());

transactions(
  'given a card and a connection, when it is authorized, then the transaction is complete, and is what is read',
  async ({ service, connection, card }) => {
    const made = await pay(service, {
      connection_id: connection,
      token: card,
      country: 'US',
      external_identifier: 'order 7',
      metadata: { order: '7' },
    });
    const { id, reconciliation_id, created_at, updated_at, authorized_at, created_by, ...rest } = made;
    const { scheme_transaction_id, connection_transaction_id, ...shown } = rest;
    assert.match(String(scheme_transaction_id), /^\d{15}$/);
    assert.match(String(connection_transaction_id), /^sbx_/);
    assert.match(reconciliation_id, /^[0-9A-Za-z]{20,22}$/);
    for (const time of [created_at, updated_at, authorized_at]) assert.match(String(time), /^\d{4}-.*Z$/);
    assert.match(String(created_by), /-/);
    assert.equal(shown, {
      type: 'transaction',
      external_identifier: 'order 7',
      status: 'authorization_succeeded',
      intent: 'authorize',
      intent_outcome: 'succeeded',
      amount: 1050,
      currency: 'USD',
      country: 'US',
      authorized_amount: 1050,
      captured_amount: 0,
      refunded_amount: 0,
      payment_method: {
        type: 'payment-method',
        id: null,
        token: card,
        method: 'card',
        mode: 'card',
        label: '1111',
        scheme: 'visa',
        expiration_date: '12/40',
        details: { bin: '41111111', card_type: 'credit', card_issuer_name: null },
        fingerprint: null,
        approval_url: null,
        approval_target: null,
        country: 'US',
        currency: 'USD',
        external_identifier: null,
        last_replaced_at: null,
        payment_account_reference: null,
      },
      instrument_type: 'pan',
      connection: {
        type: 'connection',
        id: connection,
        display_name: 'Sandbox',
        method: 'card',
        connection_formula_id: 'sandbox-card',
      },
      previous_scheme_transaction_id: null,
      payment_source: 'ecommerce',
      merchant_initiated: false,
      is_subsequent_payment: false,
      three_d_session_id: null,
      three_d_secure: null,
      error_code: null,
      auth_response_code: '00',
      cvv_response_code: 'match',
      avs_response_code: 'not_provided',
      raw_response_code: 'approved',
      raw_response_description: null,
      additional_identifiers: {},
      metadata: { order: '7' },
      approval_expires_at: null,
      captured_at: null,
      voided_at: null,
    });
    assert.equal(await read(service, id), made);
    assert.equal(await historyOf(service, id), [
      'created',
      'authorization_requested',
      'authorization_succeeded',
    ]);
  },
);

transactions(
  'given the four use cases, when each is paid, then codes are told of only where a buyer may enter one',
  async ({ service, connection }) => {
    const common = { connection_id: connection, token: await givenCard(service) };
    const first = await pay(service, { ...common, payment_source: 'ecommerce' });
    const earlier = { previous_scheme_transaction_id: first.scheme_transaction_id };
    const another = await givenCard(service);
    const onFile = await pay(service, { ...common, token: another, payment_source: 'card_on_file' });
    const subscription = await pay(service, {
      ...common,
      ...earlier,
      merchant_initiated: true,
      payment_source: 'recurring',
      is_subsequent_payment: true,
    });
    const consumption = await pay(service, {
      ...common,
      ...earlier,
      merchant_initiated: true,
      payment_source: 'card_on_file',
    });
    assert.equal(
      [first, onFile, subscription, consumption].map((one) => [one.status, one.cvv_response_code]),
      [
        ['authorization_succeeded', 'match'],
        ['authorization_succeeded', 'match'],
        ['authorization_succeeded', null],
        ['authorization_succeeded', null],
      ],
    );
    assert.is(subscription['previous_scheme_transaction_id'], first.scheme_transaction_id);
    const bare = await givenCard(service, { cvc: undefined });
    assert.is((await pay(service, { ...common, token: bare })).cvv_response_code, 'not_provided');
  },
);

transactions(
  'given an idempotency key, when the request comes again, then it is answered by the first transaction',
  async ({ service, connection, card }) => {
    const headers = { 'BT-IDEMPOTENCY-KEY': 'payment 1' };
    const body = { amount: 700, currency: 'USD', connection_id: connection, token: card };
    const first = await ask(service, body, { headers });
    const again = await ask(service, body, { headers });
    assert.equal([again.status, again.body], [201, first.body]);
  },
);

transactions(
  'given a use of a card, when it is paid, then the audit log has it, and events hold no digits of the card',
  async ({ service, connection, card }) => {
    const { id } = await pay(service, { connection_id: connection, token: card });
    const logs = await service.call<{ data: Record<string, string>[] }>(
      'GET',
      `/logs?entity_type=token&entity_id=${card}&operation=use&size=1`,
      undefined,
      { key: service.keys.management },
    );
    assert.is(logs.body.data[0]?.['entity_id'], card);
    const events = await service.composition.log.readStream(`transaction-${service.tenantId}.${id}`);
    assert.not.match(JSON.stringify(events.map(({ data }) => data)), /4111|1111"|"123"/);
  },
);

transactions(
  'given another tenant, when it asks for a transaction or pays with what is not its own, then nothing is found',
  async ({ service, connection, card }) => {
    const stranger = await service.anotherTenant();
    const { id } = await pay(service, { connection_id: connection, token: card });
    const key = stranger.private;
    for (const path of ['', '/refunds']) {
      const reply = await service.call('GET', `/orchestration/transactions/${id}${path}`, undefined, { key });
      assert.is(reply.status, 404, path);
    }
    for (const what of ['capture', 'void', 'refunds']) {
      const reply = await service.call('POST', `/orchestration/transactions/${id}/${what}`, {}, { key });
      assert.is(reply.status, 404, what);
    }
    const own = await givenConnection(service, {}, key);
    const body = { amount: 700, currency: 'USD', connection_id: own, token: card };
    assert.is((await ask<Problem>(service, body, { key })).status, 404);
    const ownCard = await givenCard(service, {}, {}, key);
    const foreign = { ...body, connection_id: connection, token: ownCard };
    assert.is((await ask<Problem>(service, foreign, { key })).status, 404);
    const list = await service.call<{ data: unknown[] }>('GET', '/orchestration/transactions', undefined, {
      key,
    });
    assert.equal(list.body.data, []);
  },
);

transactions.run();
