import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';
import type { Features } from '#domain/connection/features.ts';
import { createTransaction, requestCapture, requestRefund, requestVoid } from '#domain/transaction/decide.ts';
import type { TransactionEvent } from '#domain/transaction/events.ts';
import { initialTransaction, openCalls } from '#domain/transaction/state.ts';
import type { Transaction, TransactionState } from '#domain/transaction/state.ts';
import {
  after,
  everything,
  given,
  heard,
  metadata,
  newTransaction,
  recorded,
  when,
} from '#test/domain/transaction/support/given.ts';

const refusalOf = (decision: Decision<TransactionEvent>): string => {
  if (!isRefusal(decision)) throw new Error('not refused');
  return decision.refused === 'invalid' ? `invalid ${Object.keys(decision.faults).join()}` : decision.refused;
};
const live = (state: TransactionState): Transaction => {
  if (state.status === 'absent') throw new Error('absent');
  return state;
};
const without = (name: keyof Features): Features => ({ ...everything, [name]: false });

const authorized = given('authorize', 'authorization succeeded');
const captured = given('capture', 'authorization succeeded');

const transaction = suite('transaction');

transaction(
  'given a new transaction, when it is folded, then it shows all it was given and no outcome',
  () => {
    assert.equal(given('authorize'), {
      status: 'processing',
      id: 't1',
      tenantId: 'a1b2',
      tokenId: 'token1',
      tokenContainers: [],
      payloadId: undefined,
      scheme: undefined,
      connection: newTransaction.connection,
      amount: 1299,
      currency: 'USD',
      authorizedAmount: 0,
      capturedAmount: 0,
      refundedAmount: 0,
      country: undefined,
      externalIdentifier: undefined,
      metadata: undefined,
      intent: 'authorize',
      intentOutcome: 'pending',
      isSubsequentPayment: false,
      merchantInitiated: false,
      paymentSource: 'ecommerce',
      previousSchemeTransactionId: undefined,
      threeDSessionId: undefined,
      threeDSecure: undefined,
      connectionTransactionId: undefined,
      schemeTransactionId: undefined,
      authResponseCode: undefined,
      cvvResponseCode: undefined,
      avsResponseCode: undefined,
      rawResponseCode: undefined,
      rawResponseDescription: undefined,
      additionalIdentifiers: undefined,
      card: undefined,
      errorCode: undefined,
      approvalUrl: undefined,
      approvalPayloadId: undefined,
      approvalExpiresAt: undefined,
      authorizedAt: undefined,
      capturedAt: undefined,
      voidedAt: undefined,
      createdBy: 'c3d4',
      createdAt: metadata.occurred_at,
      updatedAt: metadata.occurred_at,
      calls: [
        {
          id: 'authorization',
          amount: 1299,
          requestedAt: metadata.occurred_at,
          progress: 'requested',
          operation: 'authorization',
        },
      ],
      refunds: [],
    });
  },
);

transaction(
  'given an approval with all a provider says, when it is recorded, then the object shows it',
  () => {
    const facts = {
      connectionTransactionId: 'tx-12345',
      schemeTransactionId: '123456789012345',
      authResponseCode: '00',
      cvvResponseCode: 'match',
      threeDSecure: { status: 'complete', method: 'frictionless', version: '2.2.0' },
    } as const;
    const decision = heard(given('capture'), 'authorization', { kind: 'succeeded', ...facts });
    const state = live(after(given('capture'), decision));
    const { connectionTransactionId, schemeTransactionId, authResponseCode, cvvResponseCode, threeDSecure } =
      state;
    assert.equal(
      { connectionTransactionId, schemeTransactionId, authResponseCode, cvvResponseCode, threeDSecure },
      facts,
    );
    assert.equal(
      [state.authorizedAmount, state.capturedAmount, state.intentOutcome],
      [1299, 1299, 'succeeded'],
    );
    assert.equal([state.authorizedAt, state.capturedAt], [metadata.occurred_at, metadata.occurred_at]);
  },
);

transaction(
  'given a demand for approval, when it is met, then its page is there before and gone after',
  () => {
    const waiting = given('authorize', 'authorization approval_required');
    assert.is(waiting.approvalUrl, 'https://approve.example/t1');
    assert.is(waiting.intentOutcome, 'pending');
    const done = live(after(waiting, when(waiting, 'authorization succeeded')));
    assert.equal([done.approvalUrl, done.approvalExpiresAt], [undefined, undefined]);
  },
);

transaction(
  'given two captures at once, when both are asked for, then one is, and the other a conflict',
  () => {
    const first = live(after(authorized, requestCapture(authorized, { callId: 'one' }, everything)));
    assert.is(refusalOf(requestCapture(first, { callId: 'two' }, everything)), 'conflict');
    assert.is(refusalOf(requestVoid(first, { callId: 'two' }, everything)), 'conflict');
    assert.equal(
      openCalls(first).map(({ id }) => id),
      ['one'],
    );
  },
);

transaction('given a capture asked for, when the same request comes again, then it changes nothing', () => {
  const asked = after(authorized, requestCapture(authorized, { callId: 'one', amount: 5 }, everything));
  assert.equal(requestCapture(asked, { callId: 'one', amount: 5 }, everything), []);
  const done = after(asked, heard(asked, 'one', { kind: 'succeeded' }));
  assert.equal(requestCapture(done, { callId: 'one', amount: 5 }, everything), []);
  assert.equal(heard(done, 'one', { kind: 'failed', errorCode: 'service_error' }), []);
});

transaction(
  'given a capture that failed, when it is tried again, then it may succeed, and the error is past',
  () => {
    const failed = live(after(authorized, when(authorized, 'capture')));
    const told = live(after(failed, when(failed, 'capture declined')));
    assert.equal([told.errorCode, told.intentOutcome], ['issuer_decline', 'succeeded']);
    const again = after(told, requestCapture(told, { callId: 'two', amount: 1000 }, everything));
    const done = live(after(again, heard(again, 'two', { kind: 'succeeded' })));
    assert.equal([done.capturedAmount, done.authorizedAmount, done.errorCode], [1000, 1299, undefined]);
  },
);

for (const amount of [0, -1, 1.5, 1300, NaN, Infinity, 2 ** 53, 100_000_000]) {
  transaction(
    `given 1299 authorized, when ${amount} is captured or refunded, then the amount is invalid`,
    () => {
      assert.is(refusalOf(requestCapture(authorized, { callId: 'x', amount }, everything)), 'invalid amount');
      const refund = requestRefund(captured, { callId: 'x', refundId: 'r', amount }, everything);
      assert.is(refusalOf(refund), 'invalid amount');
    },
  );
}

transaction('given an amount that is none, when a transaction is created with it, then it is invalid', () => {
  for (const amount of [-1, 0.5, 100_000_000, NaN]) {
    const decision = createTransaction(initialTransaction, { ...newTransaction, amount }, 'x');
    assert.is(refusalOf(decision), 'invalid amount');
  }
  const nothing = { ...newTransaction, amount: 0 };
  assert.is(
    refusalOf(createTransaction(initialTransaction, { ...nothing, intent: 'capture' }, 'x')),
    'invalid amount',
  );
  assert.ok(!isRefusal(createTransaction(initialTransaction, nothing, 'x')));
  assert.is(refusalOf(createTransaction(authorized, newTransaction, 'x')), 'already_exists');
});

transaction('given a provider that cannot do it, when it is asked for, then the connection is named', () => {
  const refused: Decision<TransactionEvent>[] = [
    requestCapture(authorized, { callId: 'x' }, without('delayed_capture')),
    requestCapture(authorized, { callId: 'x', amount: 1 }, without('partial_capture')),
    requestVoid(authorized, { callId: 'x' }, without('void')),
    requestRefund(captured, { callId: 'x', refundId: 'r' }, without('refunds')),
    requestRefund(captured, { callId: 'x', refundId: 'r', amount: 1 }, without('partial_refunds')),
  ];
  for (const decision of refused) assert.is(refusalOf(decision), 'invalid connection_id');
  assert.ok(!isRefusal(requestCapture(authorized, { callId: 'x' }, without('partial_capture'))));
  assert.ok(!isRefusal(requestRefund(captured, { callId: 'x', refundId: 'r' }, without('partial_refunds'))));
});

transaction('given an authorization of nothing, when it is captured, then that is a conflict', () => {
  const asked = after(
    initialTransaction,
    createTransaction(initialTransaction, { ...newTransaction, amount: 0 }, 'a'),
  );
  const verified = after(asked, heard(asked, 'a', { kind: 'succeeded' }));
  assert.is(refusalOf(requestCapture(verified, { callId: 'x' }, everything)), 'conflict');
});

transaction(
  'given refunds under way, when more is asked for than they leave, then that is a conflict',
  () => {
    const refund = (state: TransactionState, callId: string, amount?: number) =>
      requestRefund(state, { callId, refundId: `r ${callId}`, amount }, everything);
    const one = after(captured, refund(captured, 'one', 1000));
    assert.is(refusalOf(refund(one, 'two', 300)), 'conflict');
    assert.is(refusalOf(refund(one, 'two', 1300)), 'invalid amount');
    const both = after(one, refund(one, 'two'));
    assert.is(live(both).refunds[1]?.amount, 299);
    assert.is(refusalOf(refund(both, 'three')), 'conflict');
    const declined = after(both, when(both, 'one declined'));
    const [first] = live(declined).refunds;
    assert.equal([first?.status, first?.errorCode], ['declined', 'issuer_decline']);
    const third = after(declined, refund(declined, 'three'));
    const all = ['two succeeded', 'three succeeded'].reduce<TransactionState>(
      (state, step) => after(state, when(state, step)),
      third,
    );
    assert.is(live(all).refundedAmount, 1299);
    assert.is(refusalOf(refund(all, 'four')), 'conflict');
  },
);

transaction(
  'given a transaction or call that is not there, when anything is asked, then it is not found',
  () => {
    const callId = 'x';
    for (const decision of [
      requestCapture(initialTransaction, { callId }, everything),
      requestVoid(initialTransaction, { callId }, everything),
      requestRefund(initialTransaction, { callId, refundId: 'r' }, everything),
      heard(initialTransaction, callId, { kind: 'succeeded' }),
      heard(authorized, callId, { kind: 'succeeded' }),
    ]) {
      assert.is(refusalOf(decision), 'not_found');
    }
  },
);

transaction('given any event, when it is written, then it names its transaction', () => {
  for (const { data } of recorded(when(given('authorize'), 'authorization failed'))) {
    assert.is(data.id, 't1');
  }
});

transaction.run();
