import type { ConnectionFormula } from '#domain/connection/formula.ts';
import type { LiveConnection } from '#domain/connection/state.ts';

/** A connection as the answer to its creation shows it. spec: Create Connection, response */
export const presentCreatedConnection = (connection: LiveConnection): object => ({
  id: connection.id,
  connection_formula_id: connection.formulaId,
  display_name: connection.displayName,
  status: connection.availability,
  accepted_countries: connection.acceptedCountries,
  accepted_currencies: connection.acceptedCurrencies,
  three_d_secure_enabled: connection.threeDSecureEnabled,
  active: connection.active,
});

/** A connection as it goes out. spec: Connection */
export const presentConnection = (connection: LiveConnection): object => ({
  ...presentCreatedConnection(connection),
  method: connection.method,
});

/** Source: reference of connection formulas. */
export const presentFormula = (formula: ConnectionFormula): object => ({
  id: formula.id,
  display_name: formula.displayName,
  method: formula.method,
  available: formula.available,
  fields: formula.fields.map(({ key, displayName, required, format, secret }) => ({
    key,
    display_name: displayName,
    required,
    format,
    secret,
  })),
  supported_currencies: formula.supportedCurrencies,
  supported_countries: formula.supportedCountries,
  supported_features: formula.supportedFeatures,
});
