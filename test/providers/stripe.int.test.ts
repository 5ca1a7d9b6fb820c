import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createStripeProvider } from '#infra/providers/stripe/stripeProvider.ts';
import type { AuthorizeCall, PaymentProvider, PaymentUse } from '#ports/paymentProvider.ts';
import { authorizeCall, firstUse, freshKey, soFar } from '#test/providers/support/calls.ts';
import { startStripeStandIn, stripeCards, stripeKey } from '#test/providers/support/stripeStandIn.ts';
import type { StripeStandIn } from '#test/providers/support/stripeStandIn.ts';

type Context = { standIn: StripeStandIn; provider: PaymentProvider; now: { at: Date } };
const test = suite<Context>('stripe provider');
const connection = { tenantId: 'tenant', fields: { private_key: stripeKey } };

test.before.each(async (context) => {
  context.now = { at: new Date() };
  context.standIn = await startStripeStandIn();
  context.provider = createStripeProvider({ ...context.standIn, clock: { now: () => context.now.at } });
});
test.after.each(async ({ standIn }) => {
  await standIn.close();
  assert.equal(standIn.complaints, []);
});

async function intentAsked(
  { provider, standIn }: Context,
  more: Partial<AuthorizeCall>,
): Promise<URLSearchParams> {
  await provider.authorize(authorizeCall(connection, more));
  return new URLSearchParams(standIn.asked.findLast(({ path }) => path === '/v1/payment_intents')?.body);
}

const withoutCode = { number: '4111111111111111', expirationMonth: 8, expirationYear: 2030 };
const initiated = (
  paymentSource: 'recurring' | 'card_on_file',
  isSubsequentPayment: boolean,
): PaymentUse => ({
  ...{ merchantInitiated: true, paymentSource, isSubsequentPayment },
  previousSchemeTransactionId: '104104178525432',
});
const exemption = 'payment_method_options[card][mit_exemption][network_transaction_id]';

test('given a first transaction, when it is authorized, then it is asked for as the API describes', async (context) => {
  const form = await intentAsked(context, { returnUrl: 'https://shop.example/back' });
  assert.equal(Object.fromEntries(form), {
    amount: '1299',
    currency: 'usd',
    payment_method: 'pm_1',
    'payment_method_types[0]': 'card',
    confirm: 'true',
    capture_method: 'manual',
    return_url: 'https://shop.example/back',
    'metadata[order]': '42',
    'metadata[external_identifier]': 'order-42',
    'metadata[reconciliation_id]': '7jZXl4gBUNl0CnaLEnfXbt',
    'metadata[holdfast_key]': form.get('metadata[holdfast_key]') ?? '',
    'expand[0]': 'latest_charge',
  });
  const card = new URLSearchParams(context.standIn.asked[0]?.body);
  assert.equal(Object.fromEntries(card), {
    type: 'card',
    'card[number]': '4111111111111111',
    'card[exp_month]': '8',
    'card[exp_year]': '2030',
    'card[cvc]': '123',
    'billing_details[name]': 'Ada Lovelace',
  });
});

test('given a card on file, when its buyer pays, then the payment is on session and needs no code', async (context) => {
  const use = { ...firstUse, paymentSource: 'card_on_file' } as const;
  const form = await intentAsked(context, { card: withoutCode, use, returnUrl: 'https://shop.example/back' });
  assert.is(form.get('off_session'), null);
  assert.not.match(context.standIn.asked[0]?.body ?? '', /cvc/);
});

test('given a subscription, when the merchant charges, then it is recurring off session', async (context) => {
  const form = await intentAsked(context, { card: withoutCode, use: initiated('recurring', true) });
  assert.is(form.get('off_session'), 'recurring');
  assert.is(form.get(exemption), '104104178525432');
  assert.is(form.get('error_on_requires_action'), 'true');
});

test('given consumption, when the merchant charges, then it is a single payment off session', async (context) => {
  const form = await intentAsked(context, { card: withoutCode, use: initiated('card_on_file', false) });
  assert.is(form.get('off_session'), 'one_off');
  assert.is(form.get(exemption), '104104178525432');
});

test('given results of an authentication, when it is authorized, then they are passed on', async (context) => {
  const authentication = {
    ...{ version: '2.2.0', authenticationValue: 'Y2F2dg==', eci: '05', directoryServerTransactionId: 'ds-1' },
    directoryResponse: 'Y' as const,
  };
  const form = await intentAsked(context, { authentication, intent: 'capture' });
  const of = (name: string) => form.get(`payment_method_options[card][three_d_secure][${name}]`);
  assert.equal(
    [
      of('version'),
      of('cryptogram'),
      of('transaction_id'),
      of('electronic_commerce_indicator'),
      of('ares_trans_status'),
    ],
    ['2.2.0', 'Y2F2dg==', 'ds-1', '05', 'Y'],
  );
  assert.is(form.get('capture_method'), 'automatic');
});

test('given a payment by the merchant, when the issuer wants the buyer, then it is declined', async ({
  provider,
}) => {
  const card = { ...withoutCode, number: stripeCards.needsApproval };
  const outcome = await provider.authorize(
    authorizeCall(connection, { card, use: initiated('recurring', true) }),
  );
  assert.is(outcome.status === 'declined' && outcome.errorCode, 'requires_buyer_authentication');
});

test('given a captured payment, when it is captured or voided again, then it is refused', async ({
  provider,
}) => {
  const payment = soFar(await provider.authorize(authorizeCall(connection, { intent: 'capture' })));
  const call = { connection, payment, amount: 100 };
  for (const outcome of [
    await provider.capture({ ...call, idempotencyKey: freshKey() }),
    await provider.void({ ...call, idempotencyKey: freshKey() }),
  ]) {
    assert.is(outcome.status === 'declined' && outcome.errorCode, 'unexpected_state');
  }
});

test('given a key with other parameters, when it comes again, then nothing is taken for granted', async ({
  provider,
}) => {
  const call = authorizeCall(connection);
  await provider.authorize(call);
  const outcome = await provider.authorize({ ...call, money: { amount: 1300, currency: 'USD' } });
  assert.equal(outcome, { status: 'unknown', reason: 'conflict' });
});

test('given a code that is gone, when the lost call is repeated, then it is done all the same', async (context) => {
  const { provider, standIn } = context;
  const call = authorizeCall(connection);
  standIn.troubles.push({ path: /^POST \/v1\/payment_intents$/, lose: 'before' });
  assert.is((await provider.authorize(call)).status, 'unknown');
  const repeated = await provider.authorize({ ...call, card: withoutCode });
  assert.is(repeated.status, 'succeeded');
  assert.is(standIn.ledger.count('/v1/payment_intents'), 1);
});

test('given the card call fails, when it is unclear how, then no money moved, and it may be repeated', async (context) => {
  context.standIn.troubles.push({ path: /payment_methods/, lose: 'after' });
  const outcome = await context.provider.authorize(authorizeCall(connection));
  assert.is(outcome.status, 'not_done');
  assert.is(context.standIn.intents.size, 0);
});

test('given lost calls, when they are asked about, then each that arrived is found, and no other', async (context) => {
  const { provider, standIn } = context;
  const call = authorizeCall(connection);
  const since = new Date();
  standIn.troubles.push({ path: /^POST \/v1\/payment_intents$/, lose: 'before' });
  await provider.authorize(call);
  const question = { operation: 'authorize', since, ...call } as const;
  assert.is((await provider.find(question)).status, 'undecided');
  context.now.at = new Date(Date.now() + 61_000);
  assert.equal(await provider.find(question), { status: 'not_found' });

  const payment = soFar(await provider.authorize(call));
  const capture = { connection, idempotencyKey: freshKey(), payment, amount: 700 };
  const asked = { operation: 'capture', since, ...capture } as const;
  assert.equal(await provider.find(asked), { status: 'not_found' });
  standIn.troubles.push({ path: /capture$/, lose: 'after' });
  assert.is((await provider.capture(capture)).status, 'unknown');
  const captured = await provider.find(asked);
  assert.is(
    captured.status === 'found' && captured.outcome.status === 'succeeded' && captured.outcome.amount,
    700,
  );

  const refund = {
    connection,
    idempotencyKey: freshKey(),
    payment: { ...payment, capturedAmount: 700 },
    amount: 5,
  };
  standIn.troubles.push({ path: /refunds$/, lose: 'after' });
  assert.is((await provider.refund(refund)).status, 'unknown');
  const refunded = await provider.find({ operation: 'refund', since, ...refund });
  assert.is(refunded.status === 'found' && refunded.outcome.status, 'succeeded');
  const other = { ...refund, idempotencyKey: freshKey() };
  assert.is((await provider.find({ operation: 'refund', since, ...other })).status, 'not_found');
});

test('given more intents than can be looked through, when a call is asked about, then search decides', async (context) => {
  const { provider, standIn, now } = context;
  const call = authorizeCall(connection);
  const payment = soFar(await provider.authorize(call));
  const question = { operation: 'authorize', since: now.at, ...call } as const;
  const ask = async (hits: readonly object[]) => {
    const page = { data: [{ id: 'pi_other', metadata: {} }], has_more: true };
    for (let pages = 0; pages < 10; pages++) {
      standIn.troubles.push({ path: /^GET \/v1\/payment_intents$/, say: { status: 200, json: page } });
    }
    standIn.troubles.push({ path: /search$/, say: { status: 200, json: { data: hits } } });
    return provider.find(question);
  };
  const found = await ask([{ id: payment.transactionId }]);
  assert.is(found.status === 'found' && found.outcome.status, 'succeeded');
  const searched = standIn.asked.find(({ path }) => path.endsWith('search'));
  assert.is(searched?.query.get('query'), `metadata['holdfast_key']:'${call.idempotencyKey}'`);
  assert.is((await ask([])).status, 'undecided');
  now.at = new Date(now.at.getTime() + 3_600_001);
  assert.is((await ask([])).status, 'not_found');
});

test('given a buyer who fails to authenticate, when the buyer is back, then it is declined for that', async (context) => {
  const card = { ...withoutCode, number: stripeCards.needsApproval };
  const call = authorizeCall(connection, { card, returnUrl: 'https://shop.example/' });
  const payment = soFar(await context.provider.authorize(call));
  const intent = context.standIn.intents.get(payment.transactionId);
  const last_payment_error = { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' };
  Object.assign(intent ?? {}, { status: 'requires_payment_method', last_payment_error });
  const outcome = await context.provider.completeApproval({ ...call, payment, amount: 1299, returned: {} });
  assert.is(outcome.status === 'declined' && outcome.errorCode, 'failed_buyer_approval');
});

test.run();
