import { availableFormulas } from '#domain/connection/availableFormulas.ts';
import { secretField, textField, usualFeatures } from '#domain/connection/formula.ts';
import type { ConnectionFormula, FormulaField } from '#domain/connection/formula.ts';
import { countries } from '#domain/iso/countries.ts';
import { currencies } from '#domain/iso/currencies.ts';

const listed = (id: string, displayName: string, fields: readonly FormulaField[]): ConnectionFormula => ({
  id,
  displayName,
  method: 'card',
  fields,
  supportedCurrencies: [...currencies],
  supportedCountries: [...countries],
  supportedFeatures: usualFeatures,
  available: false,
});

const merchantId = textField('merchant_id', 'Merchant ID');
const userAndPassword = [textField('username', 'Username'), secretField('password', 'Password')];
const storeAndKey = [
  textField('store_id', 'Store ID'),
  textField('api_key', 'API Key'),
  secretField('api_secret', 'API Secret'),
];

/** Clients know these ids; connections of them are refused. */
const formulasToCome: readonly ConnectionFormula[] = [
  listed('authipay-card', 'Authipay', storeAndKey),
  listed('authorizenet-card', 'Authorize.net', [
    textField('api_login_id', 'API Login ID'),
    secretField('transaction_key', 'Transaction Key'),
  ]),
  listed('braintree-card', 'Braintree', [
    merchantId,
    textField('merchant_account_id', 'Merchant Account ID'),
    textField('public_key', 'Public Key'),
    secretField('private_key', 'Private Key'),
  ]),
  listed('chaseorbital-card', 'Chase Orbital', [
    merchantId,
    textField('bin', 'BIN'),
    textField('terminal_id', 'Terminal ID'),
    ...userAndPassword,
  ]),
  listed('checkoutcom-card', 'Checkout.com', [
    textField('public_key', 'Public Key'),
    secretField('secret_key', 'Secret Key'),
  ]),
  listed('cybersource-card', 'CyberSource', [
    merchantId,
    textField('key_id', 'Key ID'),
    secretField('secret_key', 'Secret Key'),
  ]),
  listed('dlocal-card', 'dLocal', [
    textField('x_login', 'X-Login'),
    secretField('x_trans_key', 'X-Trans-Key'),
    secretField('secret_key', 'Secret Key'),
  ]),
  listed('ebanx-card', 'EBANX', [secretField('integration_key', 'Integration Key')]),
  listed('fiserv-card', 'Fiserv', storeAndKey),
  listed('nmi-card', 'NMI', [secretField('security_key', 'Security Key')]),
  listed('nuvei-card', 'Nuvei', [
    merchantId,
    textField('merchant_site_id', 'Merchant Site ID'),
    secretField('secret_key', 'Secret Key'),
  ]),
  listed('planet-card', 'Planet', [merchantId, secretField('api_key', 'API Key')]),
  listed('razorpay-card', 'Razorpay', [
    textField('key_id', 'Key ID'),
    secretField('key_secret', 'Key Secret'),
  ]),
  listed('trustpayments-card', 'Trust Payments', [
    textField('site_reference', 'Site Reference'),
    ...userAndPassword,
  ]),
  {
    ...listed('usaepay-card', 'USAePay', [secretField('api_key', 'API Key'), secretField('pin', 'PIN')]),
    supportedCurrencies: ['USD'],
    supportedCountries: ['US'],
    supportedFeatures: { ...usualFeatures, three_d_secure_pass_through: false },
  },
  listed('worldpayvap-card', 'Worldpay VAP', [merchantId, ...userAndPassword]),
];

/** Short ids that clients use. */
const aliases: Readonly<Record<string, string>> = { stripe: 'stripe-card' };

/** Every formula, by id. */
export const connectionFormulas: readonly ConnectionFormula[] = [
  ...availableFormulas,
  ...formulasToCome,
].sort((one, other) => (one.id < other.id ? -1 : 1));

const byId = new Map(connectionFormulas.map((formula) => [formula.id, formula]));

/** @param id an alias too */
export function findFormula(id: string): ConnectionFormula | undefined {
  return byId.get(Object.hasOwn(aliases, id) ? (aliases[id] ?? id) : id);
}
