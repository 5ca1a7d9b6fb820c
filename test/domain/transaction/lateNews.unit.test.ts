import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRefusal } from '#domain/event.ts';
import { requestCapture, requestRefund } from '#domain/transaction/decide.ts';
import type { Call, Transaction } from '#domain/transaction/state.ts';
import { transitions } from '#domain/transaction/transitions.ts';
import type { Intent } from '#domain/transaction/vocabulary.ts';
import { after, everything, given, heard, typesOf, when } from '#test/domain/transaction/support/given.ts';

const late = suite('late news of transactions');

const authorized = 'authorization succeeded';
const takenBack = { kind: 'declined', errorCode: 'refused_transaction', takesBack: true } as const;

function live(state: ReturnType<typeof after>): Transaction {
  if (state.status === 'absent') throw new Error('absent');
  return state;
}

const callOf = ({ calls }: Transaction, id: string): Call | undefined => calls.find((call) => call.id === id);

/** Row, intent, steps before, whose call is heard of, status after, event. */
const happened: [number, Intent, string[], string, string, string][] = [
  [27, 'authorize', ['authorization failed'], 'authorization', 'authorization_failed', 'reversal_requested'],
  [
    27,
    'capture',
    ['authorization declined'],
    'authorization',
    'authorization_declined',
    'reversal_requested',
  ],
  [
    27,
    'authorize',
    [authorized, 'capture', 'capture failed', 'void', 'void succeeded'],
    'capture',
    'authorization_voided',
    'reversal_requested',
  ],
  [
    28,
    'authorize',
    [authorized, 'capture', 'capture failed'],
    'capture',
    'capture_succeeded',
    'capture_succeeded',
  ],
  [
    28,
    'authorize',
    [authorized, 'void', 'void failed'],
    'void',
    'authorization_voided',
    'authorization_voided',
  ],
  [28, 'capture', [authorized, 'refund', 'refund failed'], 'refund', 'capture_succeeded', 'refund_succeeded'],
];

for (const [row, intent, before, callId, status, event] of happened) {
  late(
    `row ${row}: given intent ${intent}, ${before.join(', ')}, when the ${callId} had happened, then ${event}, once`,
    () => {
      const state = given(intent, ...before);
      const decision = heard(state, callId, { kind: 'succeeded', connectionTransactionId: 'tx-late' });
      assert.equal(typesOf(decision), [`transaction.${event}`]);
      const told = live(after(state, decision));
      assert.is(told.status, status);
      assert.equal(when(told, `${callId} succeeded`), []);
      const said = transitions.find(
        (each) => each.row === row && each.from === state.status && each.operation === callId,
      );
      assert.equal([said?.on, said?.event], ['succeeded_late', `transaction.${event}`]);
    },
  );
}

late(
  'row 27: given another capture that succeeded, when an earlier one had happened, then it is refunded',
  () => {
    const failed = given('authorize', authorized, 'capture', 'capture failed');
    const asked = after(failed, requestCapture(failed, { callId: 'second', amount: 300 }, everything));
    const captured = live(after(asked, heard(asked, 'second', { kind: 'succeeded' })));
    const told = live(after(captured, heard(captured, 'capture', { kind: 'succeeded' })));
    const reversal = callOf(told, 'reversal of capture');
    assert.equal([reversal?.by, reversal?.amount], ['refund', 1299]);
    assert.equal([told.capturedAmount, told.refundedAmount], [300, 0]);
  },
);

for (const [captured, by] of [
  [true, 'refund'],
  [false, 'void'],
] as const) {
  late(`given a failed payment that was made, captured: ${captured}, then a ${by} gives it back`, () => {
    const failed = given('capture', 'authorization failed');
    const decision = heard(failed, 'authorization', {
      kind: 'succeeded',
      captured,
      connectionTransactionId: 'tx-late',
    });
    const told = live(after(failed, decision));
    const reversal = callOf(told, 'reversal of authorization');
    assert.equal([reversal?.by, reversal?.progress], [by, 'requested']);
    assert.equal([told.connectionTransactionId, told.errorCode], ['tx-late', 'service_error']);
    assert.is(callOf(told, 'authorization')?.progress, 'reversed');
  });
}

late('row 30: given a reversal, when its outcome is heard, then it is written down, also late', () => {
  const failed = given('authorize', 'authorization failed');
  const owed = after(failed, when(failed, authorized));
  for (const [kind, event] of [
    ['pending', 'reversal_pending'],
    ['succeeded', 'reversal_succeeded'],
    ['declined', 'reversal_failed'],
    ['failed', 'reversal_failed'],
  ] as const) {
    const decision = when(live(owed), `reversal ${kind}`);
    assert.ok(isRefusal(decision), 'no call has that id');
    const said = { kind, errorCode: 'service_error' };
    assert.equal(typesOf(heard(owed, 'reversal of authorization', said)), [`transaction.${event}`]);
  }
  const refused = after(
    owed,
    heard(owed, 'reversal of authorization', { kind: 'failed', errorCode: 'service_error' }),
  );
  const released = heard(refused, 'reversal of authorization', { kind: 'succeeded' });
  assert.equal(typesOf(released), ['transaction.reversal_succeeded']);
  const takenAgain = heard(after(refused, released), 'reversal of authorization', takenBack);
  assert.equal(typesOf(takenAgain), ['transaction.reversal_failed']);
});

for (const [intent, steps, callId, outcome] of [
  ['capture', [authorized], 'authorization', 'failed'],
  ['authorize', [authorized, 'capture', 'capture succeeded'], 'capture', 'succeeded'],
] as const) {
  late(
    `row 29: given intent ${intent}, when the provider takes the capture back, then it is authorized`,
    () => {
      const captured = given(intent, ...steps);
      assert.equal(when(captured, `${callId} declined`), [], 'only what says that it takes back does');
      const decision = heard(captured, callId, takenBack);
      assert.equal(typesOf(decision), ['transaction.capture_revoked']);
      const state = live(after(captured, decision));
      assert.equal(
        [state.status, state.authorizedAmount, state.capturedAmount, state.capturedAt, state.errorCode],
        ['authorization_succeeded', 1299, 0, undefined, 'refused_transaction'],
      );
      assert.is(state.intentOutcome, outcome);
      assert.equal(when(state, `${callId} succeeded`), [], 'news of before are old');
      const again = after(state, requestCapture(state, { callId: 'again' }, everything));
      assert.is(after(again, heard(again, 'again', { kind: 'succeeded' })).status, 'capture_succeeded');
    },
  );
}

late('row 29: given a refund that succeeded, when the bank sends it back, then it has failed', () => {
  const refunded = given('capture', authorized, 'refund', 'refund succeeded');
  assert.is(refunded.refundedAmount, 1299);
  const state = live(after(refunded, heard(refunded, 'refund', takenBack)));
  assert.equal([state.refundedAmount, state.refunds[0]?.status], [0, 'failed']);
});

late('given refunds of a capture, when the provider takes it back, then it is not believed', () => {
  const captured = given('capture', authorized);
  const refunding = after(captured, requestRefund(captured, { callId: 'r', refundId: 'r' }, everything));
  const decision = heard(refunding, 'authorization', takenBack);
  assert.ok(isRefusal(decision) && decision.refused === 'conflict');
  const refunded = after(refunding, heard(refunding, 'r', { kind: 'succeeded' }));
  assert.equal(heard(refunded, 'authorization', takenBack), []);
});

late(
  'given a void under way, when an earlier capture had happened, then the provider has to say so again',
  () => {
    const state = given('authorize', authorized, 'capture', 'capture failed', 'void');
    const decision = when(state, 'capture succeeded');
    assert.ok(isRefusal(decision) && decision.refused === 'conflict');
  },
);

late(
  'given an authorization of nothing that failed, when it had happened, then there is nothing to give back',
  () => {
    const failed = given('authorize', 'authorization failed');
    const calls = failed.calls.map((call) => ({ ...call, amount: 0 }));
    assert.equal(when({ ...failed, amount: 0, calls }, authorized), []);
  },
);

late.run();
