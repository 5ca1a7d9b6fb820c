import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { later } from '#test/orchestration/support/later.ts';
import {
  act,
  givenCard,
  givenConnection,
  historyOf,
  pay,
  read,
} from '#test/orchestration/support/payments.ts';
import type { Transaction } from '#test/orchestration/support/payments.ts';
import {
  adyenCards,
  adyenKey,
  hmacKey,
  merchantAccount,
  notificationOf,
  startAdyenStandIn,
} from '#test/providers/support/adyenStandIn.ts';
import type { AdyenStandIn } from '#test/providers/support/adyenStandIn.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; adyen: AdyenStandIn; connection: string };

const payments = suite<Context>('payments through Adyen');

payments.before(async (context) => {
  context.adyen = await startAdyenStandIn();
  const { outbound, baseUrl } = context.adyen;
  context.service = await startVaultService({ outbound, environment: { HOLDFAST_ADYEN_URL: baseUrl } });
  context.connection = await givenConnection(context.service, {
    connection_formula_id: 'adyen-card',
    fields: [
      { key: 'api_key', value: adyenKey },
      { key: 'merchant_account', value: merchantAccount },
      { key: 'hmac_key', value: hmacKey },
    ],
  });
});
payments.after(async ({ service, adyen }) => {
  assert.equal(adyen.complaints, []);
  await service.close();
  await adyen.close();
});

/** What Adyen tells of a transaction. */
async function tell(
  { service: { url, tenantId }, connection }: Context,
  transaction: Transaction,
  item: object,
): Promise<number> {
  const response = await fetch(`${url}/orchestration/notifications/${tenantId}/${connection}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: notificationOf({
      merchantAccountCode: merchantAccount,
      amount: { value: transaction.amount, currency: 'USD' },
      success: 'true',
      ...item,
    }),
  });
  return response.status;
}

/** The key under which the last call of a path was made, and the id that Adyen gave it. */
function lastOf({ adyen }: Context, path: RegExp): { key: string; body: Record<string, unknown> } {
  const asked = adyen.asked.findLast((one) => path.test(one.path));
  assert.ok(asked !== undefined, `nothing was asked at ${String(path)}`);
  return { key: String(asked.headers['idempotency-key']), body: JSON.parse(asked.body) as never };
}

async function begun(context: Context, number: string | undefined, intent = 'authorize') {
  const token = await givenCard(context.service, number === undefined ? {} : { number });
  return pay(context.service, { connection_id: context.connection, token, intent });
}

/** By a later step's name: what Adyen calls the notification of it. */
const modification = (context: Context, made: Transaction, eventCode: string, kind: string) => ({
  pspReference: `MOD of ${kind}`,
  originalReference: made.connection_transaction_id,
  merchantReference: lastOf(context, new RegExp(`/${kind}$`)).key,
  eventCode,
});

payments(
  'given a card, when it is authorized, captured and refunded, then each step ends with its notification',
  async (context) => {
    const { service } = context;
    const made = await begun(context, undefined);
    assert.equal(
      [made.status, made.auth_response_code, made.cvv_response_code, made['avs_response_code']],
      ['authorization_succeeded', '00', 'match', 'not_provided'],
    );
    assert.equal(made['additional_identifiers'], { authorization_code: '065696' });
    assert.is(lastOf(context, /\/payments$/).body['reference'], made.reconciliation_id);
    assert.is((await act(service, made.id, 'capture')).body.status, 'capture_pending');
    assert.is((await act(service, made.id, 'void')).status, 409);
    assert.is(await tell(context, made, modification(context, made, 'CAPTURE', 'captures')), 200);
    assert.is((await read(service, made.id)).status, 'capture_succeeded');
    assert.is((await act(service, made.id, 'refunds', { amount: 50 })).body.status, 'processing');
    const refunded = modification(context, made, 'REFUND', 'refunds');
    assert.is(await tell(context, { ...made, amount: 50 }, refunded), 200);
    assert.is((await read(service, made.id)).refunded_amount, 50);
    await tell(context, { ...made, amount: 50 }, { ...refunded, eventCode: 'REFUND_FAILED' });
    assert.is((await read(service, made.id)).refunded_amount, 0, 'the bank sent it back');
  },
);

payments('given a card that Adyen declines, then the transaction says why', async (context) => {
  const { status, error_code, auth_response_code, raw_response_description } = await begun(
    context,
    adyenCards.declined,
  );
  assert.equal(
    [status, error_code, auth_response_code, raw_response_description],
    ['authorization_declined', 'insufficient_funds', '51', '51 : Insufficient funds'],
  );
});

payments(
  'given an authorization, when it is voided, then the notification says so, once',
  async (context) => {
    const made = await begun(context, undefined);
    assert.is((await act(context.service, made.id, 'void')).body.status, 'authorization_void_pending');
    const voided = modification(context, made, 'CANCELLATION', 'cancels');
    for (let times = 0; times < 2; times += 1) assert.is(await tell(context, made, voided), 200);
    assert.equal((await historyOf(context.service, made.id)).slice(-2), [
      'authorization_void_pending',
      'authorization_voided',
    ]);
  },
);

payments(
  'given a payment that was captured with its authorization, when the capture fails after all, then it is authorized',
  async (context) => {
    const made = await begun(context, undefined, 'capture');
    assert.is(made.status, 'capture_succeeded');
    const failed = {
      pspReference: 'MOD2',
      originalReference: made.connection_transaction_id,
      merchantReference: made.reconciliation_id,
      eventCode: 'CAPTURE_FAILED',
    };
    assert.is(await tell(context, made, failed), 200);
    const after = await read(context.service, made.id);
    assert.equal(
      [after.status, after.captured_amount, after.error_code, after.intent_outcome],
      ['authorization_succeeded', 0, 'refused_transaction', 'failed'],
    );
    const { body } = await context.service.call<{ data: Transaction[] }>(
      'GET',
      `/orchestration/transactions?reconciliation_id=${made.reconciliation_id}`,
    );
    assert.equal(body.data, [after]);
    assert.is((await act(context.service, made.id, 'capture')).body.status, 'capture_pending');
  },
);

payments('given a buyer who has to approve, when he does, then the payment succeeds', async (context) => {
  const { service } = context;
  const made = await begun(context, adyenCards.needsApproval);
  const { pathname } = new URL(made.payment_method.approval_url ?? '');
  const link = await fetch(`${service.url}${pathname}`, { redirect: 'manual' });
  assert.match(link.headers.get('location') ?? '', /^https:\/\/checkoutshopper-test/);
  const back = new URL(String(lastOf(context, /\/payments$/).body['returnUrl']));
  await fetch(`${service.url}${back.pathname}?redirectResult=approved`);
  assert.is((await read(service, made.id)).status, 'authorization_succeeded');
});

payments(
  'given a buyer who does not come in time, when Adyen authorizes later, then the payment failed, and is given back',
  async (context) => {
    const { service, adyen } = context;
    const made = await begun(context, adyenCards.nameless);
    assert.equal([made.status, made.connection_transaction_id], ['buyer_approval_pending', null]);
    await later(service, 61 * 60_000).expire();
    const expired = await read(service, made.id);
    assert.equal([expired.status, expired.error_code], ['authorization_failed', 'incomplete_buyer_approval']);
    assert.is(lastOf(context, /^\/v71\/cancels$/).body['paymentReference'], made.reconciliation_id);
    const authorised = {
      pspReference: 'LATE1',
      merchantReference: made.reconciliation_id,
      eventCode: 'AUTHORISATION',
    };
    assert.is(await tell(context, made, authorised), 200);
    await later(service, 60_000).reconcile();
    const cancel = adyen.asked.findLast(({ path }) => path === '/v71/payments/LATE1/cancels');
    assert.ok(cancel !== undefined);
    const released = {
      pspReference: 'MOD3',
      originalReference: 'LATE1',
      merchantReference: String(cancel.headers['idempotency-key']),
      eventCode: 'CANCELLATION',
    };
    assert.is(await tell(context, made, released), 200);
    assert.equal((await historyOf(service, made.id)).slice(-4), [
      'authorization_failed',
      'reversal_requested',
      'reversal_pending',
      'reversal_succeeded',
    ]);
    const after = await read(service, made.id);
    assert.equal([after.status, after.connection_transaction_id], ['authorization_failed', 'LATE1']);
    await tell(context, made, authorised);
    await later(service, 120_000).reconcile();
    assert.is(adyen.asked.filter(({ path }) => path === '/v71/payments/LATE1/cancels').length, 1);
  },
);

payments.run();
