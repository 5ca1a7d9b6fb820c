import { optional, secretField, textField, usualFeatures } from '#domain/connection/formula.ts';
import type { ConnectionFormula } from '#domain/connection/formula.ts';
import { countries } from '#domain/iso/countries.ts';
import { currencies } from '#domain/iso/currencies.ts';

const except = (...codes: readonly string[]): string[] =>
  [...currencies].filter((code) => !codes.includes(code));

/** The formulas whose connections work. */
export const availableFormulas: readonly ConnectionFormula[] = [
  {
    id: 'sandbox-card',
    displayName: 'Sandbox',
    method: 'card',
    fields: [textField('merchant_id', 'Merchant ID')],
    supportedCurrencies: [...currencies],
    supportedCountries: [...countries],
    supportedFeatures: { ...usualFeatures, three_d_secure_hosted: true },
    available: true,
    provider: 'sandbox',
  },
  {
    id: 'stripe-card',
    displayName: 'Stripe',
    method: 'card',
    fields: [
      secretField('private_key', 'Private API Key'),
      optional(secretField('webhook_signing_secret', 'Webhook Signing Secret')),
    ],
    // Sources: Stripe, "Supported currencies" (special cases, and what it does not present); ISK and UGX it counts
    // in hundredths, MGA in whole units, against ISO 4217.
    supportedCurrencies: except(
      ...['ISK', 'MGA', 'UGX', 'BTN', 'CUP', 'ERN', 'GHS', 'IQD', 'IRR', 'KPW', 'LYD', 'MRU', 'SDG', 'SSP'],
      ...['STN', 'SVC', 'SYP', 'TMT', 'VED', 'VES', 'XCG', 'ZWG'],
    ),
    supportedCountries: [...countries],
    // Amount 0 is a SetupIntent there, which has other steps and no capture. Results of an authentication made
    // elsewhere it takes from chosen accounts only.
    supportedFeatures: {
      ...usualFeatures,
      three_d_secure_pass_through: false,
      three_d_secure_hosted: true,
      zero_auth: false,
    },
    available: true,
    provider: 'stripe',
  },
  {
    id: 'adyen-card',
    displayName: 'Adyen',
    method: 'card',
    fields: [
      secretField('api_key', 'API Key'),
      textField('merchant_account', 'Merchant Account'),
      optional(textField('live_endpoint_prefix', 'Live Endpoint Prefix')),
      optional(secretField('hmac_key', 'Webhook HMAC Key')),
    ],
    // Source: Adyen, "Currency codes and minor units": CLP, CVE, IDR and ISK have other minor units there.
    supportedCurrencies: except(
      'CLP',
      'CVE',
      'IDR',
      'ISK',
      'CUP',
      'ERN',
      'IRR',
      'KPW',
      'SDG',
      'SSP',
      'SYP',
      'VED',
      'XCG',
      'ZWG',
    ),
    supportedCountries: [...countries],
    supportedFeatures: { ...usualFeatures, three_d_secure_hosted: true },
    available: true,
    provider: 'adyen',
  },
];
