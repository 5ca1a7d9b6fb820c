import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAdyenProvider } from '#infra/providers/adyen/adyenProvider.ts';
import type { AuthorizeCall, NotificationReading, PaymentProvider } from '#ports/paymentProvider.ts';
import {
  adyenHolders,
  adyenKey,
  hmacKey,
  merchantAccount,
  notificationOf,
  startAdyenStandIn,
} from '#test/providers/support/adyenStandIn.ts';
import type { AdyenStandIn } from '#test/providers/support/adyenStandIn.ts';
import { authorizeCall, firstUse, freshKey, soFar } from '#test/providers/support/calls.ts';

type Context = { standIn: AdyenStandIn; provider: PaymentProvider };
const test = suite<Context>('adyen provider');
const fields = { api_key: adyenKey, merchant_account: merchantAccount, hmac_key: hmacKey };
const connection = { tenantId: 'tenant', fields };
const clock = { now: () => new Date() };

test.before.each(async (context) => {
  context.standIn = await startAdyenStandIn();
  context.provider = createAdyenProvider({ ...context.standIn, clock });
});
test.after.each(async ({ standIn }) => {
  await standIn.close();
  assert.equal(standIn.complaints, []);
});

type Body = Record<string, unknown> & { paymentMethod?: Record<string, string> };
async function asked({ provider, standIn }: Context, more: Partial<AuthorizeCall>): Promise<Body> {
  await provider.authorize(authorizeCall(connection, more));
  return JSON.parse(standIn.asked.at(-1)?.body ?? '{}') as Body;
}
const withoutCode = { number: '4111111111111111', expirationMonth: 8, expirationYear: 2030 };

test('given a first transaction, when it is authorized, then it is asked for as the API describes', async (context) => {
  assert.equal(await asked(context, { returnUrl: 'https://shop.example/back' }), {
    merchantAccount,
    reference: '7jZXl4gBUNl0CnaLEnfXbt',
    merchantOrderReference: 'order-42',
    amount: { value: 1299, currency: 'USD' },
    countryCode: 'US',
    paymentMethod: {
      type: 'scheme',
      number: '4111111111111111',
      expiryMonth: '08',
      expiryYear: '2030',
      cvc: '123',
      holderName: 'Ada Lovelace',
    },
    shopperInteraction: 'Ecommerce',
    returnUrl: 'https://shop.example/back',
    channel: 'Web',
    additionalData: { manualCapture: 'true' },
    metadata: { order: '42' },
  });
  assert.is(context.standIn.asked[0]?.path, '/v71/payments');
});

test('given the other use cases, when they are authorized, then interaction and model say which', async (context) => {
  const cases = [
    [{ ...firstUse, paymentSource: 'card_on_file' }, 'ContAuth', 'CardOnFile'],
    [
      { merchantInitiated: true, paymentSource: 'recurring', isSubsequentPayment: true },
      'ContAuth',
      'Subscription',
    ],
    [
      { merchantInitiated: true, paymentSource: 'card_on_file', isSubsequentPayment: false },
      ...['ContAuth', 'UnscheduledCardOnFile'],
    ],
    [{ ...firstUse, paymentSource: 'recurring' }, 'Ecommerce', 'Subscription'],
  ] as [AuthorizeCall['use'], string, string][];
  for (const [use, interaction, model] of cases) {
    const previous = use.merchantInitiated ? { previousSchemeTransactionId: '104104178525432' } : {};
    const body = await asked(context, { card: withoutCode, use: { ...use, ...previous } });
    assert.equal([body['shopperInteraction'], body['recurringProcessingModel']], [interaction, model]);
    assert.is(
      body.paymentMethod?.['networkPaymentReference'],
      use.merchantInitiated ? '104104178525432' : undefined,
    );
    assert.not.ok('cvc' in (body.paymentMethod ?? {}));
    assert.equal(body['authenticationData'], { attemptAuthentication: 'never' });
  }
});

test('given the intent to capture and an authentication, when it is authorized, then both are passed on', async (context) => {
  const authentication = {
    ...{ version: '2.2.0', authenticationValue: 'Y2F2dg==', eci: '05', directoryServerTransactionId: 'ds-1' },
    directoryResponse: 'C' as const,
    authenticationResponse: 'Y' as const,
  };
  const body = await asked(context, { authentication, intent: 'capture' });
  assert.equal(body['mpiData'], {
    ...{ threeDSVersion: '2.2.0', cavv: 'Y2F2dg==', eci: '05', dsTransID: 'ds-1' },
    ...{ directoryResponse: 'C', authenticationResponse: 'Y' },
  });
  assert.is(body['captureDelayHours'], 0);
  assert.is(body['additionalData'], undefined);
});

test('given a refusal, then the network says why in its own code', async ({ provider }) => {
  const card = { ...withoutCode, holderName: adyenHolders.declined };
  const outcome = await provider.authorize(authorizeCall(connection, { card }));
  assert.ok(outcome.status === 'declined');
  if (outcome.status !== 'declined') return;
  assert.is(outcome.facts.authResponseCode, '51');
  assert.is(outcome.facts.rawResponseCode, '12');
});

test('given a buyer who comes back without a result, then nothing is decided; with a bad one, it is declined', async ({
  provider,
}) => {
  const card = { ...withoutCode, holderName: adyenHolders.needsApproval };
  const call = authorizeCall(connection, { card, returnUrl: 'https://shop.example/' });
  const payment = soFar(await provider.authorize(call));
  const back = (returned: Record<string, string>) =>
    provider.completeApproval({ ...call, idempotencyKey: freshKey(), payment, amount: 1299, returned });
  assert.is((await back({})).status, 'not_done');
  const failed = await back({ redirectResult: 'no' });
  assert.is(failed.status === 'declined' && failed.errorCode, 'failed_buyer_approval');
});

test('given a call under way, when it is repeated differently, then its outcome is unknown', async ({
  provider,
}) => {
  const call = authorizeCall(connection);
  await provider.authorize(call);
  const outcome = await provider.authorize({ ...call, money: { amount: 1, currency: 'USD' } });
  assert.equal(outcome, { status: 'unknown', reason: 'in_progress' });
});

test('given errors of requests, when they are answered, then each has its word', async (context) => {
  const words = { '101': 'invalid_payment_method', '103': 'incorrect_cvv', '138': 'unsupported_currency' };
  for (const [errorCode, word] of Object.entries({ ...words, '999': 'invalid_service_request' })) {
    const json = { status: 422, errorCode, message: 'Invalid card number 4111111111111111' };
    context.standIn.troubles.push({ path: /payments$/, say: { status: 422, json } });
    const outcome = await context.provider.authorize(authorizeCall(connection));
    assert.is(outcome.status === 'declined' && outcome.errorCode, word);
    assert.not.match(JSON.stringify(outcome), /4111/);
  }
});

test('given a prefix that is no part of a host name, then no key is sent anywhere', async () => {
  const { standIn } = { standIn: await startAdyenStandIn() };
  const provider = createAdyenProvider({ outbound: standIn.outbound, clock });
  for (const prefix of ['evil.example/', 'a.b', 'x@y', '..', 'a b']) {
    const wrong = { ...connection, fields: { ...fields, live_endpoint_prefix: prefix } };
    const check = await provider.checkCredentials(wrong);
    assert.equal(check, { status: 'unauthorized', errorCode: 'invalid_service_credentials' });
  }
  await standIn.close();
});

const item = {
  eventCode: 'AUTHORISATION',
  success: 'true',
  pspReference: '7914073381342284',
  merchantAccountCode: merchantAccount,
  merchantReference: 'rec-1',
  amount: { value: 1130, currency: 'EUR' },
  eventDate: '2019-05-06T17:15:34.121+02:00',
};

function deliver({ provider }: Context, body: Uint8Array): NotificationReading {
  return provider.readNotification({ connection, headers: {}, body, now: new Date() });
}

test("given Adyen's own example of a signature, then it is accepted", (context) => {
  const example = {
    ...item,
    merchantAccountCode: 'TestMerchant',
    merchantReference: 'TestPayment-1407325143704',
    additionalData: { hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' },
  };
  const body = Buffer.from(
    JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: example }] }),
  );
  // Of another account than the connection's: believed, and left out.
  assert.equal(deliver(context, body), { status: 'accepted', notices: [], acknowledgement: '[accepted]' });
});

test('given notifications, when they are signed, then each says what became of which step', (context) => {
  const told = (more: Record<string, unknown>) => {
    const reading = deliver(context, notificationOf({ ...item, ...more }));
    const [notice] = reading.status === 'accepted' ? reading.notices : [];
    const { outcome } = notice ?? {};
    return [
      notice?.operation,
      notice?.transactionId,
      outcome?.status,
      outcome?.status === 'declined' && outcome.errorCode,
    ];
  };
  const later = { pspReference: 'PSP2', originalReference: 'PSP1', merchantReference: 'key-1' };
  assert.equal(told({}), ['authorize', '7914073381342284', 'succeeded', false]);
  const refused = { success: 'false', reason: 'Not enough balance' };
  assert.equal(told(refused), ['authorize', '7914073381342284', 'declined', 'insufficient_funds']);
  assert.equal(told({ ...later, eventCode: 'CAPTURE' }), ['capture', 'PSP1', 'succeeded', false]);
  assert.equal(told({ ...later, eventCode: 'CAPTURE_FAILED' }), [
    'capture',
    'PSP1',
    'declined',
    'refused_transaction',
  ]);
  assert.equal(told({ ...later, eventCode: 'CANCELLATION' }), ['void', 'PSP1', 'succeeded', false]);
  assert.equal(told({ ...later, eventCode: 'REFUND', success: 'false' }), [
    'refund',
    'PSP1',
    'declined',
    'refused_transaction',
  ]);
  assert.equal(told({ ...later, eventCode: 'REPORT_AVAILABLE' }), [undefined, undefined, undefined, false]);
});

test('given notifications that were tampered with, then none of their items is believed', (context) => {
  const good = notificationOf(item).toString();
  for (const tampered of [
    good.replace('1130', '1131'),
    good.replace('"success":"true"', '"success":"false"'),
    good.replace(/"hmacSignature":"[^"]+"/, '"hmacSignature":""'),
    good.replace('AUTHORISATION', 'CAPTURE'),
  ]) {
    assert.equal(deliver(context, Buffer.from(tampered)), { status: 'refused', reason: 'signature' });
  }
  assert.equal(deliver(context, Buffer.from('{}')), { status: 'refused', reason: 'malformed' });
  const noKey = { ...connection, fields: { ...fields, hmac_key: '' } };
  const request = { connection: noKey, headers: {}, body: Buffer.from(good), now: new Date() };
  assert.equal(context.provider.readNotification(request), { status: 'refused', reason: 'no_secret' });
});

test.run();
