import fc from 'fast-check';
import Value from 'typebox/value';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventCatalog } from '#domain/catalog.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';
import { amountBeingRefunded, openCalls } from '#domain/transaction/state.ts';
import type { TransactionState } from '#domain/transaction/state.ts';
import { isFinal, transitions } from '#domain/transaction/transitions.ts';
import { transactionStatuses } from '#domain/transaction/vocabulary.ts';
import { heard, outcome, recorded } from '#test/domain/transaction/support/given.ts';
import { decide, play, reached, story } from '#test/domain/transaction/support/stories.ts';
import type { Story } from '#test/domain/transaction/support/stories.ts';

const holds = (property: (story: Story) => void) => {
  fc.assert(fc.property(story, property), { numRuns: 2_000 });
};

const properties = suite('properties of transactions');

properties('given any story, when it is played, then every move is one of the table', () => {
  const moves = new Set(transitions.map(({ from, to }) => `${from} ${to}`));
  holds((each) => {
    play(each, ({ before, after }) => {
      assert.ok((transactionStatuses as readonly string[]).includes(after.status));
      if (before.status !== after.status) assert.ok(moves.has(`${before.status} ${after.status}`));
    });
  });
});

properties('given any story, when it is played, then money adds up at every step', () => {
  holds((each) => {
    play(each, ({ after }) => {
      if (after.status === 'absent') throw new Error('absent');
      const { authorizedAmount, capturedAmount, refundedAmount } = after;
      for (const sum of [authorizedAmount, capturedAmount, refundedAmount]) {
        assert.ok(Number.isSafeInteger(sum) && sum >= 0);
      }
      assert.ok(authorizedAmount <= each.amount);
      assert.ok(capturedAmount <= authorizedAmount);
      assert.ok(refundedAmount + amountBeingRefunded(after) <= capturedAmount);
      const succeeded = after.refunds.filter(({ status }) => status === 'succeeded');
      assert.is(
        succeeded.reduce((sum, refund) => sum + refund.amount, 0),
        refundedAmount,
      );
      assert.is(capturedAmount > 0, after.status === 'capture_succeeded');
    });
  });
});

properties(
  'given a final status, when anything follows, then it and its amounts stay: what comes late is given back',
  () => {
    holds((each) => {
      play(each, ({ before, events, after }) => {
        if (before.status === 'absent' || !isFinal(before.status)) return;
        for (const { type } of events) assert.match(type, /^transaction\.reversal_/);
        const amounts = ({ authorizedAmount, capturedAmount, refundedAmount }: typeof before) =>
          [authorizedAmount, capturedAmount, refundedAmount].join(' ');
        assert.is(after.status, before.status);
        assert.is(after.status === 'absent' ? '' : amounts(after), amounts(before));
      });
    });
  },
);

properties(
  'given a call that was counted as failed, when it turns out to have happened, then it is counted or given back',
  () => {
    holds((each) => {
      play(each, ({ before, step: heardOf, after }) => {
        if (before.status === 'absent' || after.status === 'absent') return;
        if (heardOf.do !== 'hear' || heardOf.kind !== 'succeeded') return;
        const call = before.calls.find(({ id }) => id === heardOf.call);
        if (call?.progress !== 'refused' || openCalls(before).length > 0) return;
        // A provider returns no more than it took.
        if (call.operation === 'refund' && call.amount > before.capturedAmount - before.refundedAmount) {
          return;
        }
        // Nor does it void what was captured.
        if (call.operation === 'void' && before.status !== 'authorization_succeeded') return;
        const now = after.calls.find(({ id }) => id === call.id)?.progress;
        const isGivenBack = after.calls.some(({ id }) => id === `reversal of ${call.id}`);
        assert.ok(now === 'done' || (now === 'reversed' && isGivenBack), `${call.operation} ${now}`);
      });
    });
  },
);

properties('given any story, when calls are counted, then one is in flight besides refunds', () => {
  holds((each) => {
    play(each, ({ after }) => {
      if (after.status === 'absent') throw new Error('absent');
      const open = openCalls(after);
      const others = open.filter(({ operation }) => operation !== 'refund' && operation !== 'reversal');
      assert.ok(others.length <= 1);
      const refunding = after.refunds
        .filter(({ status }) => status === 'processing')
        .map(({ callId }) => callId);
      assert.equal(
        open.filter(({ operation }) => operation === 'refund').map(({ id }) => id),
        refunding,
      );
    });
  });
});

const endings = /_(succeeded|declined|failed|voided|revoked)$/;
const done = /_succeeded$|authorization_voided$/;

properties(
  'given any log, when outcomes are read, then each follows the one request of its call, and differs from the last',
  () => {
    holds((each) => {
      const settled = new Map<string, boolean>();
      const requested = new Set<string>();
      for (const { type, data } of play(each).log) {
        if (!('call_id' in data)) continue;
        if (type.endsWith('_requested')) {
          assert.not.ok(requested.has(data.call_id), 'asked for twice');
          requested.add(data.call_id);
          continue;
        }
        assert.ok(requested.has(data.call_id), `${type} of a call that was never made`);
        if (!endings.test(type)) {
          assert.not.ok(settled.has(data.call_id), `${type} of a call that was settled`);
          continue;
        }
        assert.is.not(settled.get(data.call_id), done.test(type), `${type} twice`);
        settled.set(data.call_id, done.test(type));
      }
    });
  },
);

properties('given any log, when its events are checked, then each has the shape of its type', () => {
  holds((each) => {
    for (const { type, data } of play(each).log) {
      const kind = eventCatalog[type];
      assert.ok(kind !== undefined && Value.Check(kind.schema, JSON.parse(JSON.stringify(data))), type);
    }
  });
});

properties('given any log, when captures are counted, then money was taken once at most', () => {
  holds((each) => {
    const { log } = play(each);
    const times = (name: string) => log.filter(({ type }) => type === `transaction.${name}`).length;
    assert.ok(times('authorization_succeeded') <= 1);
    assert.ok(times('capture_succeeded') - times('capture_revoked') <= 1);
  });
});

properties('given any step, when it comes again at once, then it changes nothing', () => {
  holds((each) => {
    play(each, ({ step: repeated, events, after }) => {
      if (events.length === 0) return;
      assert.equal(decide(after, repeated), []);
    });
  });
});

properties('given a crash at any point, when the log is read again, then the state is what it was', () => {
  holds((each) => {
    const { log, state } = play(each);
    assert.equal(log.reduce(transactionFold.evolve, transactionFold.initial), state);
    let prefix: TransactionState = transactionFold.initial;
    for (const event of log) {
      prefix = transactionFold.evolve(prefix, event);
      if (prefix.status === 'absent') throw new Error('absent');
      // After a crash between the intent and its answer, the reconciler finds the call to ask about.
      if (event.type.endsWith('_requested') && 'call_id' in event.data) {
        const { call_id } = event.data;
        assert.ok(openCalls(prefix).some(({ id, progress }) => id === call_id && progress === 'requested'));
      }
    }
  });
});

properties('given any open call, when the provider says what became of it, then the story can end', () => {
  holds((each) => {
    let { state } = play(each);
    if (state.status === 'absent') throw new Error('absent');
    for (const { id } of openCalls(state)) {
      state = recorded(heard(state, id, outcome('succeeded'))).reduce(transactionFold.evolve, state);
    }
    assert.ok(state.status !== 'absent' && openCalls(state).length === 0);
    assert.not.ok(
      ['processing', 'buyer_approval_pending', 'capture_pending', 'authorization_void_pending'].includes(
        state.status,
      ),
    );
  });
});

properties('given all those stories, when statuses are counted, then each was reached', () => {
  assert.equal([...reached].sort(), [...transactionStatuses].sort());
});

properties.run();
