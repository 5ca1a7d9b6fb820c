import type { CommandDependencies, Outcome } from '#commands/context.ts';
import type { Executed } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import type { ConnectionFormula } from '#domain/connection/formula.ts';
import { findFormula } from '#domain/connection/formulas.ts';
import { connectionFaults } from '#domain/connection/input.ts';
import type { FieldEntry, FieldValues } from '#domain/connection/input.ts';
import type { ConnectionAttributes, ConnectionState, LiveConnection } from '#domain/connection/state.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';

/** spec: Create / Update Connection */
export type ConnectionInput = {
  connection_formula_id: string;
  method: string;
  display_name: string;
  fields: readonly FieldEntry[];
  accepted_countries: readonly string[];
  accepted_currencies: readonly string[];
  active?: boolean | null;
  /** Follows from the formula; clients send back what they read. */
  three_d_secure_enabled?: boolean | null;
};

/** All that a client says of a connection, but for its fields. */
export type ConnectionContent = Omit<ConnectionAttributes, 'payloadId'>;

/** @throws ValidationFailed */
export function formulaOf({ connection_formula_id: id }: ConnectionInput): ConnectionFormula {
  const formula = findFormula(id);
  if (formula?.available === true) return formula;
  const message =
    formula === undefined
      ? 'must be the id of a connection formula'
      : 'names a connection formula that is not available yet';
  throw new ValidationFailed({ connection_formula_id: [message] });
}

/** @throws ValidationFailed */
export function checkConnection(
  formula: ConnectionFormula,
  input: ConnectionInput,
  current?: FieldValues,
): void {
  const faults = connectionFaults(
    formula,
    {
      method: input.method,
      fields: input.fields,
      acceptedCountries: input.accepted_countries,
      acceptedCurrencies: input.accepted_currencies,
    },
    current,
  );
  const hosted = formula.supportedFeatures.three_d_secure_hosted;
  if ((input.three_d_secure_enabled ?? hosted) !== hosted) {
    faults['three_d_secure_enabled'] = [`must be ${hosted}, as the formula has it, or absent`];
  }
  if (Object.keys(faults).length > 0) throw new ValidationFailed(faults);
}

export const contentOf = (input: ConnectionInput, activeOtherwise: boolean): ConnectionContent => ({
  displayName: input.display_name,
  acceptedCountries: [...new Set(input.accepted_countries)],
  acceptedCurrencies: [...new Set(input.accepted_currencies)],
  active: input.active ?? activeOtherwise,
});

/** The connection as a command left it. */
export function answerOf(
  dependencies: CommandDependencies,
  { state, position }: Executed<ConnectionState>,
): Promise<Outcome<LiveConnection>> {
  if (state.status !== 'live') throw new NotFound();
  return settle(dependencies, position, state);
}
