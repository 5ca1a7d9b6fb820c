import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  act,
  givenCard,
  givenConnection,
  historyOf,
  pay,
  read,
} from '#test/orchestration/support/payments.ts';
import type { Transaction } from '#test/orchestration/support/payments.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; connection: string; card: string };

const steps = suite<Context>('captures, voids and refunds');

steps.before(async (context) => {
  context.service = await startVaultService();
  context.connection = await givenConnection(context.service);
  context.card = await givenCard(context.service);
});
steps.after(({ service }) => service.close());

steps(
  'given an authorization, when a part is captured and refunded in parts, then the amounts follow',
  async ({ service, connection, card }) => {
    const { id } = await pay(service, { connection_id: connection, token: card });
    const captured = await act(service, id, 'capture', { amount: 1000 });
    assert.equal(
      [captured.status, captured.body.status, captured.body.captured_amount],
      [200, 'capture_succeeded', 1000],
    );
    const refund = await act<Record<string, unknown>>(service, id, 'refunds', {
      amount: 300,
      reason: 'broken',
    });
    assert.is(refund.status, 201);
    const { id: refundId, created_at, updated_at, connection_refund_id, ...shown } = refund.body;
    assert.match([created_at, updated_at, connection_refund_id].join(' '), /sbxop_/);
    assert.equal(shown, {
      type: 'refund',
      transaction_id: id,
      status: 'succeeded',
      currency: 'USD',
      amount: 300,
      reason: 'broken',
      error_code: null,
    });
    const rest = await act<Transaction>(service, id, 'refunds');
    assert.is(rest.body.amount, 700);
    const list = await service.call<{ data: unknown[]; pagination: object }>(
      'GET',
      `/orchestration/transactions/${id}/refunds`,
    );
    assert.equal(list.body.pagination, { limit: 20, next_cursor: null, previous_cursor: null });
    assert.equal(list.body.data, [rest.body, refund.body]);
    const one = await service.call('GET', `/orchestration/refunds/${String(refundId)}`);
    assert.equal(one.body, refund.body);
    assert.is((await read(service, id)).refunded_amount, 1000);
    assert.is((await act(service, id, 'refunds')).status, 409);
  },
);

steps(
  'given an authorization, when it is voided, then nothing can be captured any more',
  async ({ service, connection, card }) => {
    const { id } = await pay(service, { connection_id: connection, token: card });
    const voided = await act(service, id, 'void');
    assert.equal(
      [voided.status, voided.body.status, voided.body.intent_outcome],
      [200, 'authorization_voided', 'succeeded'],
    );
    assert.is((await act(service, id, 'capture')).status, 409);
    assert.is((await act(service, id, 'void')).status, 409);
    assert.is((await act(service, id, 'refunds')).status, 409);
  },
);

steps(
  'given two captures at once, when both are asked for, then one succeeds, and once',
  async ({ service, connection, card }) => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await pay(service, { connection_id: connection, token: card });
      const replies = await Promise.all([act(service, id, 'capture'), act(service, id, 'capture')]);
      assert.equal(replies.map(({ status }) => status).sort(), [200, 409]);
      const history = await historyOf(service, id);
      assert.is(history.filter((type) => type === 'capture_requested').length, 1);
    }
  },
);

steps.run();
