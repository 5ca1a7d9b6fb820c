import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectionFormulas, findFormula } from '#domain/connection/formulas.ts';
import { declineCodes, failureCodes, familyOf } from '#domain/transaction/errorCodes.ts';
import { countries } from '#domain/iso/countries.ts';
import { currencies } from '#domain/iso/currencies.ts';

const test = suite('connection formulas');

test('given the catalog, when it is listed, then it holds every id that clients know, once', () => {
  const ids = connectionFormulas.map(({ id }) => id);
  assert.equal(ids, [
    ...['adyen-card', 'authipay-card', 'authorizenet-card', 'braintree-card', 'chaseorbital-card'],
    ...[
      'checkoutcom-card',
      'cybersource-card',
      'dlocal-card',
      'ebanx-card',
      'fiserv-card',
      'nmi-card',
      'nuvei-card',
    ],
    ...['planet-card', 'razorpay-card', 'sandbox-card', 'stripe-card', 'trustpayments-card', 'usaepay-card'],
    'worldpayvap-card',
  ]);
  const available = connectionFormulas.filter((each) => each.available).map(({ id }) => id);
  assert.equal(available, ['adyen-card', 'sandbox-card', 'stripe-card']);
});

test('given the short id, when it is looked up, then it is the long one; what is unknown is not found', () => {
  assert.is(findFormula('stripe')?.id, 'stripe-card');
  for (const id of ['', 'mock-card', 'constructor', '__proto__']) assert.is(findFormula(id), undefined);
});

test('given any formula, then its markets are codes of the standards, and its fields have keys of their own', () => {
  assert.is(countries.size, 249);
  for (const { id, fields, supportedCurrencies, supportedCountries } of connectionFormulas) {
    assert.ok(
      supportedCurrencies.every((code) => currencies.has(code)),
      id,
    );
    assert.ok(
      supportedCountries.every((code) => countries.has(code)),
      id,
    );
    assert.is(new Set(fields.map(({ key }) => key)).size, fields.length, id);
    assert.ok(
      fields.some(({ required }) => required),
      id,
    );
  }
});

test('given fields that open an account, then they are secret', () => {
  const secrets = (id: string) =>
    findFormula(id)
      ?.fields.filter(({ secret }) => secret)
      .map(({ key }) => key);
  assert.equal(secrets('stripe-card'), ['private_key', 'webhook_signing_secret']);
  assert.equal(secrets('adyen-card'), ['api_key', 'hmac_key']);
  assert.equal(secrets('sandbox-card'), []);
});

test('given currencies that a provider counts in other units, then its formula has not got them', () => {
  const odd: [string, string[]][] = [
    ['stripe-card', ['ISK', 'MGA', 'UGX']],
    ['adyen-card', ['CLP', 'CVE', 'IDR', 'ISK']],
  ];
  for (const [id, codes] of odd) {
    for (const code of codes) {
      assert.not.ok(findFormula(id)?.supportedCurrencies.includes(code), `${id} ${code}`);
    }
  }
});

test('given the words for errors, then each is a decline or a failure', () => {
  assert.is(new Set([...declineCodes, ...failureCodes]).size, declineCodes.length + failureCodes.length);
  assert.ok(familyOf('insufficient_funds') === 'declined');
  assert.not.ok(familyOf('disputed_transaction') === 'declined');
});

test.run();
