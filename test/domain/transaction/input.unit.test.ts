import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectionFold } from '#domain/connection/state.ts';
import type { LiveConnection } from '#domain/connection/state.ts';
import { countries } from '#domain/iso/countries.ts';
import { currencies } from '#domain/iso/currencies.ts';
import { refusalByConnection, refusalByTokenType } from '#domain/transaction/admission.ts';
import { checkTransactionInput } from '#domain/transaction/input.ts';
import type { TransactionInput } from '#domain/transaction/input.ts';
import { maySendCvc } from '#domain/transaction/useCase.ts';
import { everything } from '#test/domain/transaction/support/given.ts';

const least = { amount: 1299, connection_id: 'c1', currency: 'USD', token: 't1' };

const read = (body: unknown): TransactionInput => {
  const checked = checkTransactionInput(body);
  if (!checked.valid) throw new Error(JSON.stringify(checked.faults));
  return checked.input;
};
const faultsOf = (body: unknown): string[] => {
  const checked = checkTransactionInput(body);
  return checked.valid ? [] : Object.keys(checked.faults);
};

const input = suite('the input of transactions');

input('given the least there may be, when it is read, then the rest has its defaults', () => {
  const expected = {
    amount: 1299,
    connectionId: 'c1',
    currency: 'USD',
    tokenId: 't1',
    country: undefined,
    externalIdentifier: undefined,
    intent: 'authorize',
    isSubsequentPayment: false,
    merchantInitiated: false,
    metadata: undefined,
    paymentSource: 'ecommerce',
    previousSchemeTransactionId: undefined,
    threeDSessionId: undefined,
  };
  assert.equal(read(least), expected);
  const nulls = {
    country: null,
    external_identifier: null,
    intent: null,
    is_subsequent_payment: null,
    merchant_initiated: null,
    metadata: null,
    payment_source: null,
    previous_scheme_transaction_id: null,
    three_d_session_id: null,
  };
  assert.equal(read({ ...least, ...nulls, unknown: 1 }), expected);
});

input('given everything there is, when it is read, then it is kept', () => {
  const body = {
    ...least,
    country: 'US',
    external_identifier: 'order 1',
    intent: 'capture',
    is_subsequent_payment: true,
    merchant_initiated: true,
    metadata: { key: 'value' },
    payment_source: 'recurring',
    previous_scheme_transaction_id: '123456789012345',
    three_d_session_id: { id: 's1' },
  };
  assert.equal(read(body), {
    amount: 1299,
    connectionId: 'c1',
    currency: 'USD',
    tokenId: 't1',
    country: 'US',
    externalIdentifier: 'order 1',
    intent: 'capture',
    isSubsequentPayment: true,
    merchantInitiated: true,
    metadata: { key: 'value' },
    paymentSource: 'recurring',
    previousSchemeTransactionId: '123456789012345',
    threeDSessionId: 's1',
  });
  assert.is(read({ ...body, three_d_session_id: 's2' }).threeDSessionId, 's2');
});

const wrong: [string, unknown, string[]][] = [
  ['no object', [], ['']],
  ['nothing', {}, ['amount', 'connection_id', 'currency', 'token']],
  ['a negative amount', { ...least, amount: -1 }, ['amount']],
  ['a fraction', { ...least, amount: 12.5 }, ['amount']],
  ['a text as amount', { ...least, amount: '1299' }, ['amount']],
  ['an amount of no number', { ...least, amount: NaN }, ['amount']],
  ['an amount too large', { ...least, amount: 100_000_000 }, ['amount']],
  ['a capture of 0', { ...least, amount: 0, intent: 'capture' }, ['amount']],
  ['a currency that does not exist', { ...least, currency: 'USX' }, ['currency']],
  ['a currency in lower case', { ...least, currency: 'usd' }, ['currency']],
  ['a metal', { ...least, currency: 'XAU' }, ['currency']],
  ['a country that does not exist', { ...least, country: 'UK' }, ['country']],
  ['a country of three letters', { ...least, country: 'USA' }, ['country']],
  ['another intent', { ...least, intent: 'sale' }, ['intent']],
  ['a source of another name', { ...least, payment_source: 'moto' }, ['payment_source']],
  ['a text as flag', { ...least, merchant_initiated: 'true' }, ['merchant_initiated']],
  ['an empty reference', { ...least, external_identifier: '' }, ['external_identifier']],
  ['a long reference', { ...least, external_identifier: 'x'.repeat(201) }, ['external_identifier']],
  [
    'a long scheme id',
    { ...least, previous_scheme_transaction_id: 'x'.repeat(101) },
    ['previous_scheme_transaction_id'],
  ],
  ['metadata that is a list', { ...least, metadata: ['a'] }, ['metadata']],
  ['metadata of numbers', { ...least, metadata: { a: 1 } }, ['metadata.a']],
  ['a session without id', { ...least, three_d_session_id: {} }, ['three_d_session_id.id']],
  ['a session by number', { ...least, three_d_session_id: 7 }, ['three_d_session_id']],
  ['a token by number', { ...least, token: 7 }, ['token']],
  ['several faults', { ...least, amount: -1, intent: 'x', country: 1 }, ['intent', 'amount', 'country']],
];
for (const [what, body, paths] of wrong) {
  input(`given ${what}, when it is read, then each fault is named by its path`, () => {
    assert.equal(faultsOf(body), paths);
  });
}

input('given the bounds of an amount, when they are read, then they pass', () => {
  assert.is(read({ ...least, amount: 0 }).amount, 0);
  assert.is(read({ ...least, amount: 99_999_999, intent: 'capture' }).amount, 99_999_999);
  assert.is(read({ ...least, amount: 1, intent: 'capture' }).amount, 1);
});

const previous = { previous_scheme_transaction_id: '123456789012345' };
/** spec: Common transaction use cases */
const useCases: [string, Record<string, unknown>, boolean][] = [
  [
    'the first transaction of a card',
    { merchant_initiated: false, payment_source: 'ecommerce', is_subsequent_payment: false },
    true,
  ],
  [
    'a card on file',
    { merchant_initiated: false, payment_source: 'card_on_file', is_subsequent_payment: false },
    true,
  ],
  [
    'a subscription after its first transaction',
    { merchant_initiated: true, payment_source: 'recurring', is_subsequent_payment: true, ...previous },
    false,
  ],
  [
    'consumption',
    { merchant_initiated: true, payment_source: 'card_on_file', is_subsequent_payment: false, ...previous },
    false,
  ],
];
for (const [what, members, sends] of useCases) {
  input(`given ${what}, when it is read, then it passes, ${sends ? 'with' : 'without'} a code`, () => {
    assert.is(maySendCvc(read({ ...least, ...members })), sends);
  });
}

input('given an occasion that there is not, when it is read, then what contradicts is named', () => {
  assert.equal(faultsOf({ ...least, merchant_initiated: true }), ['payment_source']);
  assert.equal(faultsOf({ ...least, merchant_initiated: true, payment_source: 'recurring' }), [
    'is_subsequent_payment',
  ]);
  assert.equal(faultsOf({ ...least, payment_source: 'recurring', is_subsequent_payment: true }), []);
  assert.is(maySendCvc(read({ ...least, payment_source: 'recurring', is_subsequent_payment: true })), false);
});

input('given the lists of ISO, when they are counted, then they are whole', () => {
  assert.is(countries.size, 249);
  for (const code of ['US', 'GB', 'DE', 'BQ', 'SS']) assert.ok(countries.has(code));
  for (const code of currencies) assert.match(code, /^[A-Z]{3}$/);
  for (const code of ['USD', 'EUR', 'JPY', 'KWD', 'ZWG']) assert.ok(currencies.has(code));
});

const connection: LiveConnection = {
  status: 'live',
  id: 'c1',
  tenantId: 'a1b2',
  formulaId: 'sandbox-card',
  method: 'card',
  displayName: 'Sandbox',
  acceptedCountries: ['US'],
  acceptedCurrencies: ['USD'],
  active: true,
  payloadId: 'p1',
  threeDSecureEnabled: true,
  availability: 'available',
  createdBy: undefined,
  createdAt: '',
  modifiedBy: undefined,
  modifiedAt: undefined,
};
const asked = { amount: 1, currency: 'USD', country: 'US', threeDSessionId: undefined };

input('given a connection, when it does not take a transaction, then the reason is named', () => {
  assert.is(refusalByConnection(connection, everything, asked), undefined);
  assert.is(refusalByConnection(connection, everything, { ...asked, country: undefined }), undefined);
  assert.equal(refusalByConnection(connectionFold.initial, everything, asked), { refused: 'not_found' });
  const named = (
    changed: Partial<LiveConnection>,
    other: Partial<typeof asked> = {},
    features = everything,
  ) => {
    const refusal = refusalByConnection({ ...connection, ...changed }, features, { ...asked, ...other });
    return refusal?.refused === 'invalid' ? Object.keys(refusal.faults).join() : refusal?.refused;
  };
  assert.is(named({ active: false }), 'connection_id');
  assert.is(named({ availability: 'failed' }), 'connection_id');
  assert.is(named({ availability: 'pending' }), 'conflict');
  assert.is(named({ availability: 'pending' }, { currency: 'EUR' }), 'currency', 'no need to wait for that');
  assert.is(named({}, { currency: 'EUR', country: 'DE' }), 'currency,country');
  assert.is(named({}, { amount: 0 }), undefined);
  assert.is(named({}, { amount: 0 }, { ...everything, zero_auth: false }), 'amount');
  const session = { threeDSessionId: 's1' } as unknown as Partial<typeof asked>;
  assert.is(named({}, session, { ...everything, three_d_secure_pass_through: false }), 'three_d_session_id');
});

input('given a token, when it is no card, then that is invalid', () => {
  assert.is(refusalByTokenType('card'), undefined);
  assert.equal(refusalByTokenType('bank'), {
    refused: 'invalid',
    faults: { token: ["must name a token of the type 'card'"] },
  });
});

input.run();
