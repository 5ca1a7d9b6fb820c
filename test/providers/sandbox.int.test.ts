import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSandboxProvider } from '#infra/providers/sandbox/sandboxProvider.ts';
import type { SandboxSettings } from '#infra/providers/sandbox/sandboxProvider.ts';
import type { ProviderOutcome } from '#ports/paymentOutcome.ts';
import type { PaymentProvider, PaymentSoFar } from '#ports/paymentProvider.ts';
import { authorizeCall, cardNumber, freshKey, soFar } from '#test/providers/support/calls.ts';

const test = suite('sandbox provider');
const connection = { tenantId: 'tenant', fields: { merchant_id: 'any' } };
const noon = new Date('2026-06-15T12:00:00Z');

const sandbox = (settings: Partial<SandboxSettings> = {}): PaymentProvider =>
  createSandboxProvider({
    clock: { now: () => noon },
    latencyMilliseconds: 0,
    confirmationMilliseconds: 5_000,
    approvalPage: 'https://vault.example/approve',
    ...settings,
  });
const provider = sandbox();

const usd = (amount: number) => ({ money: { amount, currency: 'USD' } });
const errorOf = (outcome: ProviderOutcome): string =>
  outcome.status === 'declined' ? outcome.errorCode : outcome.status;

/** Row by row as the simulator documents it. */
const table = `
  200001 canceled_payment_method      300005 invalid_service_credentials
  200002 disputed_transaction         300006 invalid_service_response
  200003 duplicate_transaction        300007 invalid_tax_identifier
  200004 expired_authorization        300008 missing_billing_address
  200005 expired_payment_method       300009 missing_cvv
  200006 incorrect_billing_address    300010 missing_shipping_address
  200007 incorrect_country            300011 missing_tax_identifier
  200008 incorrect_currency           300012 refund_period_expired
  200009 incorrect_cvv                300013 service_error
  200010 incorrect_expiry_date        300014 service_network_error
  200011 insufficient_funds           300015 service_rate_limit
  200012 issuer_decline               400001 internal_error
  200013 other_decline                400002 invalid_billing_address
  200014 requires_buyer_authentication 400003 invalid_operation
  200015 refused_transaction          400004 invalid_request_parameters
  200016 service_decline              400005 invalid_service_request
  200017 suspected_fraud              400006 invalid_shipping_address
  200018 unavailable_payment_method   400007 service_resource_conflict
  200019 unknown_payment_method       400008 unexpected_state
  200020 unsupported_transaction      400009 unknown_error
  200021 unsupported_payment_method   400010 unknown_service_resource
  200022 cancelled_buyer_approval     400011 unsupported_country
  300001 insufficient_service_permissions 400012 unsupported_currency
  300002 invalid_amount               400013 unrecognised_country
  300003 invalid_payment_method       400014 unrecognised_currency
  300004 invalid_service_configuration 400015 unrecognised_payment_method
  400016 unrecognised_scheme          400017 unsupported_scheme`;

const rows = [...table.matchAll(/(\d{6}) (\w+)/g)].map(([, amount, code]) => [Number(amount), code] as const);
assert.is(rows.length, 54);

for (const [amount, code] of rows) {
  test(`given the amount ${amount}, when it is authorized, then it fails with ${code}`, async () => {
    for (const intent of ['authorize', 'capture'] as const) {
      const call = authorizeCall(connection, { ...usd(amount), intent });
      assert.is(errorOf(await provider.authorize(call)), code);
    }
  });
}

test('given amounts in no row, when they are authorized, then they are approved', async () => {
  for (const amount of [0, 1, 1299, 200000, 200023, 300016, 400018, 500001, 510001, 520001, 99_999_999]) {
    assert.is((await provider.authorize(authorizeCall(connection, usd(amount)))).status, 'succeeded');
  }
});

test('given security codes, when they are checked, then the code decides', async () => {
  const answers = { '123': 'match', '222': 'not_provided', '333': 'no_match', '999': 'match' };
  const card = { number: cardNumber, expirationMonth: 8, expirationYear: 2030 };
  for (const [cvc, answer] of Object.entries(answers)) {
    const outcome = await provider.authorize(authorizeCall(connection, { card: { ...card, cvc } }));
    assert.is(outcome.status === 'succeeded' && outcome.facts.cvvResponseCode, answer, cvc);
  }
  const without = await provider.authorize(authorizeCall(connection, { card }));
  assert.is(without.status === 'succeeded' && without.facts.cvvResponseCode, 'not_provided');
});

test('given a card of last month, when it is authorized, then it has expired; this month it has not', async () => {
  const expiring = (expirationMonth: number) => ({
    card: { number: cardNumber, expirationMonth, expirationYear: 2026 },
  });
  assert.is(
    errorOf(await provider.authorize(authorizeCall(connection, expiring(5)))),
    'expired_payment_method',
  );
  assert.is(errorOf(await provider.authorize(authorizeCall(connection, expiring(6)))), 'succeeded');
});

test('given the amounts of later steps, when these are taken, then they fail as the simulator says', async () => {
  const authorized = async (amount: number, intent: 'authorize' | 'capture'): Promise<PaymentSoFar> =>
    soFar(await provider.authorize(authorizeCall(connection, { ...usd(amount), intent })));
  const step = async (amount: number, intent: 'authorize' | 'capture') => ({
    connection,
    idempotencyKey: freshKey(),
    payment: await authorized(amount, intent),
    amount,
  });
  const captures: [number, string][] = [
    [500001, 'service_network_error'],
    [500002, 'refused_transaction'],
    [600002, 'pending'],
  ];
  const voids: [number, string][] = [
    [510001, 'service_network_error'],
    [510002, 'issuer_decline'],
    [600003, 'pending'],
  ];
  const refunds: [number, string][] = [
    [520001, 'disputed_transaction'],
    [520002, 'issuer_decline'],
    [520003, 'service_error'],
    [520004, 'refund_already_satisfied'],
    [600005, 'pending'],
  ];
  for (const [amount, then] of captures) {
    assert.is(errorOf(await provider.capture(await step(amount, 'authorize'))), then, String(amount));
  }
  for (const [amount, then] of voids) {
    assert.is(errorOf(await provider.void(await step(amount, 'authorize'))), then, String(amount));
  }
  for (const [amount, then] of refunds) {
    assert.is(errorOf(await provider.refund(await step(amount, 'capture'))), then, String(amount));
  }
});

test('given an approval that is asked for, when the buyer decides, then that is the outcome', async () => {
  const call = authorizeCall(connection, { ...usd(600001), returnUrl: 'https://shop.example/back?a=1' });
  const asked = await provider.authorize(call);
  assert.ok(asked.status === 'pending' && asked.waitingFor === 'buyer');
  if (asked.status !== 'pending' || asked.waitingFor !== 'buyer') return;
  const url = new URL(asked.approvalUrl);
  assert.is(url.searchParams.get('payment'), asked.facts.transactionId);
  assert.is(url.searchParams.get('return_url'), 'https://shop.example/back?a=1');
  const decide = (result: string) =>
    provider.completeApproval({ ...call, payment: soFar(asked), amount: 600001, returned: { result } });
  assert.is(errorOf(await decide('approved')), 'succeeded');
  assert.is(errorOf(await decide('declined')), 'failed_buyer_approval');
  assert.is(errorOf(await decide('cancelled')), 'cancelled_buyer_approval');
  const nowhere = authorizeCall(connection, usd(600001));
  assert.is(errorOf(await provider.authorize(nowhere)), 'missing_redirect_url');
});

test('given a process that crashed, when another asks, then it finds what the first would have said', async () => {
  const sampled = fc.record({
    amount: fc.oneof(fc.constantFrom(...rows.map(([amount]) => amount), 600001, 600002), fc.nat(99_999_999)),
    intent: fc.constantFrom('authorize' as const, 'capture' as const),
    cvc: fc.constantFrom(undefined, '123', '222', '333'),
    expirationYear: fc.integer({ min: 2024, max: 2030 }),
    withReturn: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(sampled, async ({ amount, intent, cvc, expirationYear, withReturn }) => {
      fc.pre(amount !== 600004);
      const call = authorizeCall(connection, {
        ...usd(amount),
        intent,
        card: {
          number: cardNumber,
          expirationMonth: 8,
          expirationYear,
          ...(cvc === undefined ? {} : { cvc }),
        },
        ...(withReturn ? { returnUrl: 'https://shop.example/' } : {}),
      });
      const said = await provider.authorize(call);
      const finding = await sandbox().find({ operation: 'authorize', since: noon, ...call });
      assert.equal(finding, { status: 'found', outcome: said });
    }),
  );
});

test('given a capture that was only taken, when its time has come, then it is confirmed', async () => {
  const payment = soFar(await provider.authorize(authorizeCall(connection, usd(600002))));
  const call = { connection, idempotencyKey: freshKey(), payment, amount: 600002 };
  assert.is((await provider.capture(call)).status, 'pending');
  const ask = async (seconds: number): Promise<string> => {
    const since = new Date(noon.getTime() - seconds * 1000);
    const finding = await provider.find({ operation: 'capture', since, ...call });
    return finding.status === 'found' ? finding.outcome.status : finding.status;
  };
  assert.is(await ask(4), 'pending');
  assert.is(await ask(5), 'succeeded');
});

test('given a latency, when something is asked, then the answer takes that long', async () => {
  const began = performance.now();
  await sandbox({ latencyMilliseconds: 30 }).checkCredentials(connection);
  assert.ok(performance.now() - began >= 28);
});

test('given any captures and refunds, then never more is captured than authorized, or refunded than captured', async () => {
  const step = fc.record({
    kind: fc.constantFrom('capture' as const, 'refund' as const),
    amount: fc.integer({ min: -5, max: 3000 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.nat(2000),
      fc.boolean(),
      fc.array(step, { maxLength: 12 }),
      async (amount, whole, steps) => {
        const intent = whole ? 'capture' : 'authorize';
        const call = authorizeCall(connection, { ...usd(amount), intent });
        // What the caller claims was authorized does not help: the sandbox reads it from its own reference.
        let payment = soFar(await provider.authorize(call), { authorizedAmount: 99_999_999 });
        for (const { kind, amount: asked } of steps) {
          const outcome = await provider[kind]({
            connection,
            idempotencyKey: freshKey(),
            payment,
            amount: asked,
          });
          if (outcome.status !== 'succeeded') continue;
          const total = kind === 'capture' ? 'capturedAmount' : 'refundedAmount';
          payment = { ...payment, [total]: payment[total] + outcome.amount };
        }
        assert.ok(payment.capturedAmount <= amount);
        assert.ok(payment.refundedAmount <= payment.capturedAmount);
      },
    ),
  );
});

test.run();
