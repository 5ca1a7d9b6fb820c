import { createAdyenProvider } from '#infra/providers/adyen/adyenProvider.ts';
import { createSandboxProvider } from '#infra/providers/sandbox/sandboxProvider.ts';
import { createStripeProvider } from '#infra/providers/stripe/stripeProvider.ts';
import {
  adyenHolders,
  adyenKey,
  hmacKey,
  merchantAccount,
  notificationOf,
  startAdyenStandIn,
} from '#test/providers/support/adyenStandIn.ts';
import { testContract } from '#test/providers/support/contract.ts';
import { startStripeStandIn, stripeCards, stripeKey } from '#test/providers/support/stripeStandIn.ts';

const clock = { now: () => new Date() };
const card = (number: string, holderName = 'Ada Lovelace') => ({
  card: { number, expirationMonth: 8, expirationYear: 2030, cvc: '123', holderName },
});
const usd = (amount: number) => ({ money: { amount, currency: 'USD' } });

testContract('sandbox', () => {
  const settings = {
    clock,
    latencyMilliseconds: 0,
    confirmationMilliseconds: 0,
    approvalPage: 'https://vault.example/approve',
  };
  return Promise.resolve({
    provider: createSandboxProvider(settings),
    connection: { tenantId: 'tenant', fields: { merchant_id: 'any' } },
    wrongConnection: { tenantId: 'tenant', fields: { merchant_id: 'fail' } },
    declined: usd(200011),
    needsApproval: usd(600001),
    approve: () => ({ result: 'approved' }),
    loseAnswer: () => usd(600004),
    settle: (outcome) => outcome,
    complaints: () => [],
    close: () => Promise.resolve(),
  });
});

testContract('stripe', async () => {
  const standIn = await startStripeStandIn();
  const connection = { tenantId: 'tenant', fields: { private_key: stripeKey } };
  return {
    provider: createStripeProvider({ ...standIn, clock }),
    connection,
    wrongConnection: { ...connection, fields: { private_key: 'sk_test_wrong' } },
    declined: card(stripeCards.declined),
    needsApproval: card(stripeCards.needsApproval),
    approve: (id) => {
      standIn.approve(id);
      return { payment_intent: id };
    },
    loseAnswer: () => {
      standIn.troubles.push({ path: /^POST \/v1\/payment_intents$/, lose: 'after' });
      return {};
    },
    authorizations: () => standIn.ledger.count('/v1/payment_intents'),
    settle: (outcome) => outcome,
    complaints: () => standIn.complaints,
    close: standIn.close,
  };
});

testContract('adyen', async () => {
  const standIn = await startAdyenStandIn();
  const fields = { api_key: adyenKey, merchant_account: merchantAccount, hmac_key: hmacKey };
  const connection = { tenantId: 'tenant', fields };
  const provider = createAdyenProvider({ ...standIn, clock });
  return {
    provider,
    connection,
    wrongConnection: { ...connection, fields: { ...fields, api_key: 'wrong' } },
    declined: card('4111111111111111', adyenHolders.declined),
    needsApproval: card('4111111111111111', adyenHolders.needsApproval),
    approve: () => ({ redirectResult: 'approved' }),
    loseAnswer: () => {
      standIn.troubles.push({ path: /^POST \/v71\/payments$/, lose: 'after' });
      return {};
    },
    authorizations: () => standIn.ledger.count('payments'),
    settle: (outcome, step, value) => {
      if (outcome.status !== 'pending') return outcome;
      const body = notificationOf({
        eventCode: { capture: 'CAPTURE', void: 'CANCELLATION', refund: 'REFUND' }[step],
        success: 'true',
        pspReference: outcome.facts.operationId,
        originalReference: outcome.facts.transactionId,
        merchantAccountCode: merchantAccount,
        merchantReference: 'key',
        amount: { value, currency: 'USD' },
        eventDate: '2026-01-01T12:00:00+01:00',
      });
      const reading = provider.readNotification({ connection, headers: {}, body, now: clock.now() });
      const [notice] = reading.status === 'accepted' ? reading.notices : [];
      return notice?.operation === step ? notice.outcome : outcome;
    },
    complaints: () => standIn.complaints,
    close: standIn.close,
  };
});
