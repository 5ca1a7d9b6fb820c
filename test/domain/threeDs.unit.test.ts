import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';
import { authenticateSession, completeChallenge, createThreeDsSession } from '#domain/threeDs/decide.ts';
import type { ThreeDsSessionEvent } from '#domain/threeDs/events.ts';
import { evolveThreeDsSession, initialThreeDsSession } from '#domain/threeDs/state.ts';
import type { ThreeDsSessionState } from '#domain/threeDs/state.ts';
import { threeDSecureOf } from '#domain/threeDs/summary.ts';
import { eciOf, testCardOf, testCards } from '#domain/threeDs/testCards.ts';
import type { AuthenticationStatus } from '#domain/threeDs/vocabulary.ts';
import { passesLuhn } from '#domain/token/cardNumber.ts';

const metadata = {
  tenant_id: 'a1b2',
  actor: { type: 'application', id: 'c3d4' },
  occurred_at: '2026-01-02T03:04:05.000Z',
} as const;

const after = (state: ThreeDsSessionState, decision: Decision<ThreeDsSessionEvent>): ThreeDsSessionState => {
  if (isRefusal(decision)) throw new Error(`refused: ${decision.refused}`);
  return decision
    .map((event) => ({ ...event, metadata }) as ThreeDsSessionEvent)
    .reduce(evolveThreeDsSession, state);
};
const never = () => false;
const always = () => true;
const said = (status: AuthenticationStatus) => ({ threeds_version: '2.2.0', authentication_status: status });
const authenticate = (state: ThreeDsSessionState, status: AuthenticationStatus, isPast = never) =>
  authenticateSession(state, { authentication: said(status), methodCompletionIndicator: 'Y' }, isPast);
const complete = (state: ThreeDsSessionState, status: AuthenticationStatus, cancelled = false) =>
  completeChallenge(state, { authentication: said(status), cancelled }, never);
const summaryOf = (state: ThreeDsSessionState) => {
  if (state.status === 'absent') throw new Error('absent');
  return threeDSecureOf(state);
};

const fresh = after(
  initialThreeDsSession,
  createThreeDsSession(initialThreeDsSession, {
    id: 's1',
    token_id: 't1',
    device: 'browser',
    expires_at: '2026-01-03T03:04:05.000Z',
  }),
);
const challenged = after(fresh, authenticate(fresh, 'challenge'));

const sessions = suite('3-D Secure sessions');

const summaries: [AuthenticationStatus, string][] = [
  ['successful', 'complete'],
  ['attempted', 'complete'],
  ['failed', 'declined'],
  ['rejected', 'declined'],
  ['unavailable', 'error'],
];
for (const [status, shown] of summaries) {
  sessions(`given a session, when it is authenticated ${status}, then a transaction shows ${shown}`, () => {
    const done = after(fresh, authenticate(fresh, status));
    assert.is(done.status, 'completed');
    assert.equal(summaryOf(done), { version: '2.2.0', status: shown, method: 'frictionless' });
  });
  sessions(`given a challenge, when it ends ${status}, then a transaction shows ${shown}`, () => {
    const done = after(challenged, complete(challenged, status));
    assert.is(done.status, 'completed');
    assert.equal(summaryOf(done), { version: '2.2.0', status: shown, method: 'challenge' });
  });
}

sessions(
  'given a session that is not at its end, when a transaction uses it, then it shows a setup error',
  () => {
    assert.equal(summaryOf(fresh), { status: 'setup_error', method: 'frictionless' });
    assert.is(challenged.status, 'challenged');
    assert.equal(summaryOf(challenged), { version: '2.2.0', status: 'setup_error', method: 'challenge' });
  },
);

sessions('given a challenge, when the buyer cancels it, then a transaction shows that', () => {
  assert.is(summaryOf(after(challenged, complete(challenged, 'failed', true))).status, 'cancelled');
});

sessions('given a session, when it is authenticated twice, then the second time is a conflict', () => {
  const again = authenticate(challenged, 'successful');
  assert.ok(isRefusal(again) && again.refused === 'conflict');
});

sessions('given a challenge that is over, when its result comes again, then it changes nothing', () => {
  const done = after(challenged, complete(challenged, 'successful'));
  assert.equal(complete(done, 'failed'), []);
  assert.equal(complete(challenged, 'challenge'), [], 'and none comes out of one that goes on');
  const frictionless = complete(after(fresh, authenticate(fresh, 'successful')), 'successful');
  assert.ok(isRefusal(frictionless) && frictionless.refused === 'conflict');
});

sessions('given a session that is unknown or over, when anything is asked, then it is not found', () => {
  assert.equal(authenticate(initialThreeDsSession, 'successful'), { refused: 'not_found' });
  assert.equal(complete(initialThreeDsSession, 'successful'), { refused: 'not_found' });
  assert.equal(authenticate(fresh, 'successful', always), { refused: 'not_found' });
});

sessions('given a session, when its id is used again, then that is refused', () => {
  const session = { id: 's1', token_id: 't1', device: 'browser', expires_at: '' } as const;
  const again = createThreeDsSession(fresh, session);
  assert.ok(isRefusal(again) && again.refused === 'already_exists');
});

sessions(
  'given the test cards, when they are counted, then all sixteen are there, and none passes Luhn',
  () => {
    const numbers = Object.keys(testCards).sort();
    assert.equal(
      numbers,
      Array.from({ length: 16 }, (_, index) => `42000000000000${String(index + 2).padStart(2, '0')}`),
    );
    assert.not.ok(numbers.some(passesLuhn));
    for (const card of Object.values(testCards)) {
      assert.is((card.frictionless === undefined) !== (card.challenge === undefined), true);
    }
    assert.is(testCardOf('4111111111111111').frictionless, 'successful');
    assert.equal(testCardOf('4200000000000015').challenge, {
      type: 'dynamic',
      mandated: true,
      result: 'successful',
    });
    assert.is(testCardOf('4200000000000014').hasMethod, false);
    assert.is(testCardOf('4200000000000012').error?.code, '405');
  },
);

sessions('given a status, when its indicator is looked up, then it is that of the brand', () => {
  assert.equal([eciOf('successful', 'visa'), eciOf('attempted', 'mastercard')], ['05', '01']);
  assert.is(eciOf('challenge', 'visa'), undefined);
});

sessions.run();
