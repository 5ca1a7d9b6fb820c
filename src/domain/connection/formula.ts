import type { Features } from '#domain/connection/features.ts';

/** A value that a connection of the formula needs. */
export type FormulaField = {
  key: string;
  displayName: string;
  required: boolean;
  format: 'text' | 'multiline' | 'number';
  /** Kept in the vault, and never shown again. */
  secret: boolean;
};

/** How to reach a payment provider: what is known before there is a connection. */
export type ConnectionFormula = {
  id: string;
  displayName: string;
  method: 'card';
  fields: readonly FormulaField[];
  /** ISO 4217. Left out are those that the provider counts in other minor units than the standard. */
  supportedCurrencies: readonly string[];
  /** ISO 3166-1 alpha-2, of the payment. */
  supportedCountries: readonly string[];
  supportedFeatures: Features;
} & (
  | { available: true; provider: 'sandbox' | 'stripe' | 'adyen' }
  /** Listed, and refused when a connection is made of it. */
  | { available: false }
);

/** What most card providers can do. */
export const usualFeatures: Features = {
  three_d_secure_pass_through: true,
  three_d_secure_hosted: false,
  delayed_capture: true,
  partial_capture: true,
  partial_refunds: true,
  refunds: true,
  zero_auth: true,
  void: true,
};

export const textField = (key: string, displayName: string): FormulaField => ({
  key,
  displayName,
  required: true,
  format: 'text',
  secret: false,
});

export const secretField = (key: string, displayName: string): FormulaField => ({
  ...textField(key, displayName),
  secret: true,
});

export const optional = (field: FormulaField): FormulaField => ({ ...field, required: false });
