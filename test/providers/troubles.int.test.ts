import { inspect } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAdyenProvider } from '#infra/providers/adyen/adyenProvider.ts';
import { shownText } from '#infra/providers/http/shownText.ts';
import { createStripeProvider } from '#infra/providers/stripe/stripeProvider.ts';
import type { PaymentProvider, ProviderConnection } from '#ports/paymentProvider.ts';
import { adyenKey, merchantAccount, startAdyenStandIn } from '#test/providers/support/adyenStandIn.ts';
import { authorizeCall, cardNumber, freshKey, soFar } from '#test/providers/support/calls.ts';
import type { Ledger, Said, StandIn, Trouble } from '#test/providers/support/standIn.ts';
import { startStripeStandIn, stripeKey } from '#test/providers/support/stripeStandIn.ts';

type Context = {
  standIn: StandIn & { ledger: Ledger };
  provider: PaymentProvider;
  connection: ProviderConnection;
  /** The call that moves money, as the stand-in sees it. */
  path: RegExp;
};
const clock = { now: () => new Date('2026-06-15T12:00:00Z') };

const starts: Record<string, () => Promise<Context>> = {
  stripe: async () => {
    const standIn = await startStripeStandIn();
    const connection = { tenantId: 'tenant', fields: { private_key: stripeKey } };
    const provider = createStripeProvider({ ...standIn, clock, timeoutMilliseconds: 1_500 });
    return { standIn, provider, connection, path: /^POST \/v1\/payment_intents$/ };
  },
  adyen: async () => {
    const standIn = await startAdyenStandIn();
    const connection = {
      tenantId: 'tenant',
      fields: { api_key: adyenKey, merchant_account: merchantAccount },
    };
    const provider = createAdyenProvider({ ...standIn, clock, timeoutMilliseconds: 1_500 });
    return { standIn, provider, connection, path: /^POST \/v71\/payments$/ };
  },
};

type Case = [what: string, trouble: Omit<Trouble, 'path'>, then: object];
const quoting = { message: `${cardNumber} 123 ${stripeKey} ${adyenKey}` };
const say = (status: number, headers: Said['headers'] = {}): Omit<Trouble, 'path'> => ({
  say: { status, headers, json: { error: { type: 'api_error', ...quoting }, ...quoting } },
});
const unknown = (reason: string): object => ({ status: 'unknown', reason });
const limited = (retryAfterMilliseconds?: number): object => ({
  status: 'not_done',
  reason: 'rate_limit',
  ...(retryAfterMilliseconds === undefined ? {} : { retryAfterMilliseconds }),
});

const cases: readonly Case[] = [
  ['too many calls, with seconds to wait', say(429, { 'retry-after': '7' }), limited(7000)],
  [
    'too many calls, with a date',
    say(429, { 'retry-after': 'Mon, 15 Jun 2026 12:00:30 GMT' }),
    limited(30_000),
  ],
  ['too many calls, for very long', say(429, { 'retry-after': '99999999' }), limited(3_600_000)],
  ['too many calls, for what is no whole number', say(429, { 'retry-after': '40.5' }), limited()],
  ['too many calls, for nonsense', say(429, { 'retry-after': 'soon' }), limited()],
  ['500', say(500), unknown('server_error')],
  ['503', say(503), unknown('server_error')],
  ['409', say(409), unknown('in_progress')],
  ['a redirect', say(302, { location: 'https://other.example/' }), unknown('invalid_answer')],
  ['an answer without JSON', { say: { status: 200 } }, unknown('invalid_answer')],
  ['an answer that says nothing', { say: { status: 200, json: {} } }, unknown('invalid_answer')],
  ['an answer that is no object', { say: { status: 200, json: [null] } }, unknown('invalid_answer')],
  ['silence', { lose: 'silence' }, unknown('timeout')],
  ['a connection that breaks off', { lose: 'after' }, unknown('connection')],
  ['401', say(401), { status: 'unauthorized', errorCode: 'invalid_service_credentials' }],
  ['403', say(403), { status: 'unauthorized', errorCode: 'insufficient_service_permissions' }],
];

for (const [name, start] of Object.entries(starts)) {
  const test = suite<Context>(`troubles of payment providers: ${name}`);
  test.before.each(async (context) => {
    Object.assign(context, await start());
  });
  test.after.each(({ standIn }) => standIn.close());

  for (const [what, trouble, then] of cases) {
    test(`given ${what}, when it is authorized, then it is told for what it is, and not tried again`, async (it) => {
      it.standIn.troubles.push({ ...trouble, path: it.path });
      const outcome = await it.provider.authorize(authorizeCall(it.connection));
      assert.equal(outcome, then);
      const calls = it.standIn.asked.filter(({ method, path }) => it.path.test(`${method} ${path}`));
      assert.is(calls.length, 1);
    });
  }

  test('given a call that was lost, when it is repeated until it is answered, then it is done once', async (it) => {
    const call = authorizeCall(it.connection);
    for (const trouble of [
      say(429),
      say(500),
      { lose: 'before' },
      { lose: 'after' },
      { lose: 'silence' },
    ] as const) {
      it.standIn.troubles.push({ ...trouble, path: it.path });
      assert.is.not((await it.provider.authorize(call)).status, 'succeeded');
    }
    assert.is((await it.provider.authorize(call)).status, 'succeeded');
    assert.is(it.standIn.ledger.done.filter((each) => /payments$|payment_intents$/.test(each)).length, 1);
  });

  test('given later steps, when their answers are lost, then their outcome is unknown too', async (it) => {
    const payment = soFar(await it.provider.authorize(authorizeCall(it.connection)));
    const call = { connection: it.connection, payment, amount: 100 };
    for (const step of ['capture', 'refund', 'void'] as const) {
      it.standIn.troubles.push({ path: /./, lose: 'after' });
      const outcome = await it.provider[step]({ ...call, idempotencyKey: freshKey() });
      assert.equal(outcome, unknown('connection'), step);
    }
  });

  test('given credentials, when the provider is away or they cannot be sent, then the check says so', async (it) => {
    it.standIn.troubles.push({ path: /./, ...say(503) }, { path: /./, ...say(429, { 'retry-after': '2' }) });
    assert.is((await it.provider.checkCredentials(it.connection)).status, 'undecided');
    assert.is((await it.provider.checkCredentials(it.connection)).status, 'undecided');
    const key = 'line\r\nbreak';
    const broken = { ...it.connection, fields: { ...it.connection.fields, private_key: key, api_key: key } };
    assert.is((await it.provider.checkCredentials(broken)).status, 'unauthorized');
  });

  test('given answers that quote what they were sent, then no outcome holds a secret', async (it) => {
    const error = { type: 'card_error', code: quoting.message, decline_code: cardNumber, ...quoting };
    const json = {
      error,
      errorCode: quoting.message,
      status: 402,
      resultCode: 'Refused',
      refusalReason: cardNumber,
    };
    for (const status of [200, 400, 402, 422, 429, 500]) {
      it.standIn.troubles.push({ path: it.path, say: { status, json } });
      const outcome = await it.provider.authorize(authorizeCall(it.connection));
      const shown = inspect(outcome, { depth: null, maxStringLength: null });
      for (const secret of [cardNumber, stripeKey, adyenKey]) assert.not.ok(shown.includes(secret), shown);
    }
  });

  test.run();
}

const texts = suite('words of providers');

texts('given texts, when they are to be shown, then those with secrets in them are not', () => {
  for (const text of ['Do not honor', '05 : Do not honor', 'insufficient_funds', 'amount 129900']) {
    assert.is(shownText(text), text);
  }
  for (const text of [
    cardNumber,
    'card 4111 1111 1111 1111',
    '4111-1111-1111-1111',
    stripeKey,
    'cvc: 123',
    'whsec_abc',
    '',
    7,
    undefined,
  ]) {
    assert.is(shownText(text), undefined);
  }
  assert.is(shownText('x'.repeat(500))?.length, 200);
});

texts.run();
