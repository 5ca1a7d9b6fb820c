import type { Availability, LiveConnection } from '#domain/connection/state.ts';
import { authorshipOf } from '#queries/authorship.ts';
import type { AuthorshipRow } from '#queries/authorship.ts';

/** A row of the view of connections. */
export type ConnectionRow = AuthorshipRow & {
  key: string;
  tenant_id: string;
  connection_formula_id: string;
  method: string;
  display_name: string;
  accepted_countries: string[];
  accepted_currencies: string[];
  active: boolean;
  status: Availability;
  three_d_secure_enabled: boolean;
  payload_id: string;
};

export const connectionColumns = `connection.id::text as key, connection.tenant_id, connection.connection_formula_id,
  connection.method, connection.display_name, connection.accepted_countries, connection.accepted_currencies,
  connection.active, connection.status, connection.three_d_secure_enabled, connection.payload_id,
  connection.created_by, connection.created_at, connection.modified_by, connection.modified_at`;

export const connectionOf = (row: ConnectionRow): LiveConnection => ({
  status: 'live',
  id: row.key,
  tenantId: row.tenant_id,
  formulaId: row.connection_formula_id,
  method: row.method,
  displayName: row.display_name,
  acceptedCountries: row.accepted_countries,
  acceptedCurrencies: row.accepted_currencies,
  active: row.active,
  availability: row.status,
  threeDSecureEnabled: row.three_d_secure_enabled,
  payloadId: row.payload_id,
  ...authorshipOf(row),
});
