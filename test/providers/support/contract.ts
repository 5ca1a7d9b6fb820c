import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProviderOutcome } from '#ports/paymentOutcome.ts';
import type { AuthorizeCall, PaymentProvider, ProviderConnection } from '#ports/paymentProvider.ts';
import { authorizeCall, freshKey, soFar } from '#test/providers/support/calls.ts';

export type Harness = {
  provider: PaymentProvider;
  connection: ProviderConnection;
  wrongConnection: ProviderConnection;
  /** What makes an authorization be declined for want of funds, and what makes it need the buyer. */
  declined: Partial<AuthorizeCall>;
  needsApproval: Partial<AuthorizeCall>;
  /** What the buyer comes back with, having approved. */
  approve(transactionId: string): Record<string, string>;
  /** The answer to the next authorization is lost after it was made; what makes it so, where it is the call. */
  loseAnswer(): Partial<AuthorizeCall>;
  /** How many authorizations were made so far; `undefined` where nothing counts. */
  authorizations?(): number;
  /** What a step that was only taken comes to. */
  settle(outcome: ProviderOutcome, step: 'capture' | 'void' | 'refund', amount: number): ProviderOutcome;
  /** Complaints of the stand-in about requests. */
  complaints(): readonly string[];
  close(): Promise<void>;
};

/** What every provider holds to. */
export function testContract(name: string, start: () => Promise<Harness>): void {
  const test = suite<Harness>(`contract of payment providers: ${name}`);
  test.before.each(async (context) => {
    Object.assign(context, await start());
  });
  test.after.each(async ({ complaints, close }) => {
    await close();
    assert.equal(complaints(), []);
  });

  test('given credentials, when they are checked, then right and wrong ones are told apart', async (it) => {
    assert.equal(await it.provider.checkCredentials(it.connection), { status: 'valid' });
    const wrong = await it.provider.checkCredentials(it.wrongConnection);
    assert.equal(wrong, { status: 'unauthorized', errorCode: 'invalid_service_credentials' });
    const outcome = await it.provider.authorize(authorizeCall(it.wrongConnection));
    assert.equal(outcome, { status: 'unauthorized', errorCode: 'invalid_service_credentials' });
  });

  test('given an authorization, when part is captured and part of that refunded, then each succeeds', async (it) => {
    const authorized = await it.provider.authorize(authorizeCall(it.connection));
    assert.is(authorized.status, 'succeeded');
    if (authorized.status !== 'succeeded') return;
    assert.is(authorized.amount, 1299);
    assert.is(authorized.captured, false);
    assert.is(authorized.facts.cvvResponseCode, 'match');
    assert.match(authorized.facts.schemeTransactionId ?? '', /^\d{15}$/);
    assert.is(authorized.facts.card?.scheme, 'visa');
    const payment = soFar(authorized);
    const capture = { connection: it.connection, idempotencyKey: freshKey(), payment, amount: 1000 };
    const captured = it.settle(await it.provider.capture(capture), 'capture', 1000);
    assert.is(captured.status === 'succeeded' && captured.amount, 1000);
    const refund = {
      connection: it.connection,
      idempotencyKey: freshKey(),
      payment: { ...payment, capturedAmount: 1000 },
      amount: 400,
    };
    const refunded = it.settle(await it.provider.refund(refund), 'refund', 400);
    assert.is(refunded.status === 'succeeded' && refunded.amount, 400);
    assert.ok(refunded.status === 'succeeded' && refunded.facts.operationId);
  });

  test('given the intent to capture, when it is authorized, then the money is captured too', async (it) => {
    const outcome = await it.provider.authorize(authorizeCall(it.connection, { intent: 'capture' }));
    assert.is(outcome.status === 'succeeded' && outcome.captured, true);
  });

  test('given an authorization, when it is voided, then it is released', async (it) => {
    const payment = soFar(await it.provider.authorize(authorizeCall(it.connection)));
    const call = { connection: it.connection, idempotencyKey: freshKey(), payment };
    const outcome = it.settle(await it.provider.void(call), 'void', 1299);
    assert.is(outcome.status, 'succeeded');
  });

  test('given a card without funds, when it is authorized, then it is declined for that', async (it) => {
    const outcome = await it.provider.authorize(authorizeCall(it.connection, it.declined));
    assert.is(outcome.status === 'declined' && outcome.errorCode, 'insufficient_funds');
    assert.ok(outcome.status === 'declined' && outcome.facts.transactionId);
    assert.ok(outcome.status === 'declined' && outcome.facts.rawResponseCode);
  });

  test('given a call, when it is repeated, then it brings the same and is done once', async (it) => {
    const call = authorizeCall(it.connection);
    const first = await it.provider.authorize(call);
    const again = await it.provider.authorize(call);
    assert.is(soFar(first).transactionId, soFar(again).transactionId);
    assert.is(it.authorizations?.() ?? 1, 1);
  });

  test('given a lost answer, when it is asked about, then one authorization comes to light', async (it) => {
    const since = new Date();
    const call = authorizeCall(it.connection, it.loseAnswer());
    const lost = await it.provider.authorize(call);
    assert.is(lost.status, 'unknown');
    const finding = await it.provider.find({ operation: 'authorize', since, ...call });
    const outcome = finding.status === 'repeat' ? await it.provider.authorize(call) : undefined;
    const found = finding.status === 'found' ? finding.outcome : outcome;
    assert.is(found?.status, 'succeeded');
    assert.is(found?.status === 'succeeded' && found.amount, call.money.amount);
    assert.is(it.authorizations?.() ?? 1, 1);
  });

  test('given a card that needs its buyer, when the buyer approves, then it is authorized', async (it) => {
    const returnUrl = 'https://shop.example/back';
    const call = authorizeCall(it.connection, { ...it.needsApproval, returnUrl });
    const asked = await it.provider.authorize(call);
    assert.is(asked.status === 'pending' && asked.waitingFor, 'buyer');
    if (asked.status !== 'pending' || asked.waitingFor !== 'buyer') return;
    assert.is(new URL(asked.approvalUrl).protocol, 'https:');
    const payment = soFar(asked);
    const approved = await it.provider.completeApproval({
      connection: it.connection,
      idempotencyKey: freshKey(),
      payment,
      intent: 'authorize',
      amount: call.money.amount,
      returned: it.approve(payment.transactionId),
    });
    assert.is(approved.status === 'succeeded' && approved.amount, call.money.amount);
    assert.is(approved.status === 'succeeded' && approved.captured, false);
  });

  test('given a card that needs its buyer, when nobody can be sent anywhere, then nothing stays open', async (it) => {
    const use = { merchantInitiated: true, paymentSource: 'recurring', isSubsequentPayment: true } as const;
    const outcome = await it.provider.authorize(authorizeCall(it.connection, { ...it.needsApproval, use }));
    assert.is(outcome.status === 'declined' && outcome.errorCode, 'requires_buyer_authentication');
  });

  test.run();
}
