import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRefusal } from '#domain/event.ts';
import { createTransaction } from '#domain/transaction/decide.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';
import { expireApproval } from '#domain/transaction/record.ts';
import { isFinal, refusedRequests, transitions } from '#domain/transaction/transitions.ts';
import { transactionStatuses } from '#domain/transaction/vocabulary.ts';
import type { Intent } from '#domain/transaction/vocabulary.ts';
import { after, given, newTransaction, typesOf, when } from '#test/domain/transaction/support/given.ts';

const table = suite('the table of states');

const approval = 'authorization approval_required';
const authorized = 'authorization succeeded';

/** Row, intent, steps before, the step that the row is about, status after, event; no event: nothing is written. */
const rows: [number, Intent, string[], string, string, string?][] = [
  [2, 'authorize', [], authorized, 'authorization_succeeded', 'authorization_succeeded'],
  [3, 'capture', [], authorized, 'capture_succeeded', 'capture_succeeded'],
  [4, 'capture', [], 'authorization pending', 'capture_pending', 'capture_pending'],
  [5, 'authorize', [], 'authorization declined', 'authorization_declined', 'authorization_declined'],
  [5, 'capture', [], 'authorization declined', 'authorization_declined', 'authorization_declined'],
  [6, 'authorize', [], 'authorization failed', 'authorization_failed', 'authorization_failed'],
  [6, 'capture', [], 'authorization failed', 'authorization_failed', 'authorization_failed'],
  [6, 'authorize', [approval], 'authorization failed', 'authorization_failed', 'authorization_failed'],
  [7, 'authorize', [], approval, 'buyer_approval_pending', 'buyer_approval_pending'],
  [7, 'capture', [], approval, 'buyer_approval_pending', 'buyer_approval_pending'],
  [8, 'authorize', [], 'authorization pending', 'processing', 'authorization_pending'],
  [8, 'authorize', ['authorization pending'], 'authorization pending', 'processing'],
  [8, 'authorize', [], 'authorization unknown', 'processing'],
  [8, 'authorize', [approval], 'authorization pending', 'buyer_approval_pending'],
  [9, 'authorize', [approval], authorized, 'authorization_succeeded', 'authorization_succeeded'],
  [10, 'capture', [approval], authorized, 'capture_succeeded', 'capture_succeeded'],
  [10, 'capture', [approval], 'authorization pending', 'capture_pending', 'capture_pending'],
  [11, 'authorize', [approval], 'authorization declined', 'authorization_declined', 'authorization_declined'],
  [13, 'authorize', [authorized], 'capture', 'authorization_succeeded', 'capture_requested'],
  [13, 'authorize', [authorized, 'capture'], 'capture succeeded', 'capture_succeeded', 'capture_succeeded'],
  [14, 'authorize', [authorized, 'capture'], 'capture pending', 'capture_pending', 'capture_pending'],
  [15, 'authorize', [authorized, 'capture'], 'capture declined', 'authorization_succeeded', 'capture_failed'],
  [15, 'authorize', [authorized, 'capture'], 'capture failed', 'authorization_succeeded', 'capture_failed'],
  [
    16,
    'authorize',
    [authorized, 'capture', 'capture pending'],
    'capture succeeded',
    'capture_succeeded',
    'capture_succeeded',
  ],
  [16, 'capture', ['authorization pending'], authorized, 'capture_succeeded', 'capture_succeeded'],
  [
    17,
    'authorize',
    [authorized, 'capture', 'capture pending'],
    'capture declined',
    'authorization_succeeded',
    'capture_failed',
  ],
  [
    17,
    'authorize',
    [authorized, 'capture', 'capture pending'],
    'capture failed',
    'authorization_succeeded',
    'capture_failed',
  ],
  [
    18,
    'capture',
    ['authorization pending'],
    'authorization declined',
    'authorization_declined',
    'authorization_declined',
  ],
  [
    18,
    'capture',
    ['authorization pending'],
    'authorization failed',
    'authorization_failed',
    'authorization_failed',
  ],
  [19, 'authorize', [authorized], 'void', 'authorization_succeeded', 'void_requested'],
  [19, 'authorize', [authorized, 'void'], 'void succeeded', 'authorization_voided', 'authorization_voided'],
  [
    20,
    'authorize',
    [authorized, 'void'],
    'void pending',
    'authorization_void_pending',
    'authorization_void_pending',
  ],
  [
    21,
    'authorize',
    [authorized, 'void', 'void pending'],
    'void succeeded',
    'authorization_voided',
    'authorization_voided',
  ],
  [
    22,
    'authorize',
    [authorized, 'void', 'void pending'],
    'void declined',
    'authorization_succeeded',
    'void_failed',
  ],
  [
    22,
    'authorize',
    [authorized, 'void', 'void pending'],
    'void failed',
    'authorization_succeeded',
    'void_failed',
  ],
  [23, 'authorize', [authorized, 'void'], 'void declined', 'authorization_succeeded', 'void_failed'],
  [23, 'authorize', [authorized, 'void'], 'void failed', 'authorization_succeeded', 'void_failed'],
  [24, 'capture', [authorized], 'refund', 'capture_succeeded', 'refund_requested'],
  [24, 'capture', [authorized, 'refund'], 'refund pending', 'capture_succeeded', 'refund_pending'],
  [24, 'capture', [authorized, 'refund'], 'refund succeeded', 'capture_succeeded', 'refund_succeeded'],
  [24, 'capture', [authorized, 'refund'], 'refund declined', 'capture_succeeded', 'refund_declined'],
  [24, 'capture', [authorized, 'refund'], 'refund failed', 'capture_succeeded', 'refund_failed'],
  [24, 'capture', [authorized, 'refund'], 'refund voided', 'capture_succeeded', 'refund_voided'],
];

for (const [row, intent, before, step, status, event] of rows) {
  const history = [`intent ${intent}`, ...before].join(', ');
  table(`row ${row}: given ${history}, when ${step}, then ${status} and ${event ?? 'no'} event`, () => {
    const state = given(intent, ...before);
    const decision = when(state, step);
    assert.equal(typesOf(decision), event === undefined ? [] : [`transaction.${event}`]);
    assert.is(after(state, decision).status, status);
    const [operation, on = 'requested'] = step.split(' ');
    const said = transitions.find(
      (each) =>
        each.row === row &&
        each.from === state.status &&
        each.operation === operation &&
        each.on === on &&
        (each.intent ?? intent) === intent,
    );
    assert.is(said?.to, status, 'the table of the code says otherwise');
  });
}

table(
  'row 1: given nothing, when a transaction is created, then it is processing and its call announced',
  () => {
    const decision = createTransaction(transactionFold.initial, newTransaction, 'call1');
    assert.equal(typesOf(decision), ['transaction.created', 'transaction.authorization_requested']);
    assert.is(after(transactionFold.initial, decision).status, 'processing');
  },
);

table(
  'row 12: given a buyer who does not approve, when the time has come, then it failed, and not before',
  () => {
    const state = given('capture', approval);
    assert.equal(
      expireApproval(state, () => false),
      [],
    );
    const failed = after(
      state,
      expireApproval(state, (time) => time === '2026-01-02T04:04:05.000Z'),
    );
    assert.is(failed.status, 'authorization_failed');
    assert.is('errorCode' in failed && failed.errorCode, 'incomplete_buyer_approval');
    assert.equal(
      expireApproval(failed, () => true),
      [],
    );
    assert.equal(
      typesOf(when(failed, authorized)),
      ['transaction.reversal_requested'],
      'a late approval finds it over, and is given back',
    );
  },
);

const ways: Record<(typeof transactionStatuses)[number], string[]> = {
  processing: [],
  buyer_approval_pending: [approval],
  authorization_succeeded: [authorized],
  authorization_declined: ['authorization declined'],
  authorization_failed: ['authorization failed'],
  capture_pending: [authorized, 'capture', 'capture pending'],
  capture_succeeded: [authorized, 'capture', 'capture succeeded'],
  authorization_void_pending: [authorized, 'void', 'void pending'],
  authorization_voided: [authorized, 'void', 'void succeeded'],
};

for (const { status, operation } of refusedRequests) {
  table(`row 25: given ${status}, when a ${operation} is asked for, then that is a conflict`, () => {
    const state = given('authorize', ...ways[status]);
    assert.is(state.status, status);
    const known = state.calls.map((call) => ({ ...call, id: `earlier ${call.id}` }));
    const decision = when({ ...state, calls: known }, operation);
    assert.ok(isRefusal(decision) && decision.refused === 'conflict');
    assert.match(decision.detail, status);
  });
}

table(
  'row 25: given nine statuses, when requests are counted, then three may be made and the rest not',
  () => {
    assert.is(refusedRequests.length, 9 * 3 - 3);
  },
);

table('row 26: given an authorization that lapsed, when it is captured, then it stays and says why', () => {
  const state = given('authorize', authorized, 'capture');
  const lapse = transitions.filter(({ row }) => row === 26);
  assert.equal(
    lapse.map(({ from, to, event }) => [from, to, event]),
    [['authorization_succeeded', 'authorization_succeeded', undefined]],
  );
  assert.is(after(state, when(state, 'capture failed')).status, 'authorization_succeeded');
});

table('given the table, when its rows are counted, then all are there, and each of the 26 is tested', () => {
  const numbers = new Set([...transitions.map(({ row }) => row), 25]);
  assert.equal(
    [...numbers].sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
  const tested = new Set(rows.map(([row]) => row));
  assert.equal(
    [...numbers].filter((row) => row <= 26 && !tested.has(row)),
    [1, 12, 26, 25],
  );
  const expected = transitions.filter(({ row }) => tested.has(row)).map((each) => `${each.row} ${each.on}`);
  const covered = new Set(rows.map(([row, , , step]) => `${row} ${step.split(' ')[1] ?? 'requested'}`));
  assert.equal(
    expected.filter((each) => !covered.has(each)),
    [],
  );
});

table('given the table, when its ends are looked for, then they are the three final statuses', () => {
  assert.equal(transactionStatuses.filter(isFinal), [
    'authorization_declined',
    'authorization_failed',
    'authorization_voided',
  ]);
});

table.run();
