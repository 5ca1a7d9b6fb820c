import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from '#commands/context.ts';
import { errorOf } from '#commands/execute.ts';
import type { ShownToken } from '#access/showToken.ts';
import { findFormula } from '#domain/connection/formulas.ts';
import type { LiveConnection } from '#domain/connection/state.ts';
import { refusalByConnection, refusalByTokenType } from '#domain/transaction/admission.ts';
import type { TransactionInput } from '#domain/transaction/input.ts';
import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import { getConnection } from '#queries/connection/get.ts';
import { getThreeDsSession } from '#queries/threeDs/get.ts';
import { getToken } from '#queries/token/get.ts';
import { Forbidden, NotFound, ValidationFailed } from '#src/errors.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';

/** So long a connection whose credentials are being checked is waited for, in milliseconds. */
const patience = 2_000;
const pause = 50;

/** Everything that a transaction is made of, checked. */
export type Admitted = {
  connection: LiveConnection;
  token: ShownToken;
  session: LiveThreeDsSession | undefined;
};

/**
 * Whether a transaction may be made at all. What is not there comes before what may not be used, and that before
 * what does not fit.
 * @throws NotFound, Forbidden, ValidationFailed, Conflicted for a connection that is still being checked
 */
export async function admit(
  dependencies: PaymentDependencies,
  context: CommandContext,
  input: TransactionInput,
): Promise<Admitted> {
  const { tenantId } = context;
  const [connection, token, session] = await Promise.allSettled([
    getConnection(dependencies, tenantId, input.connectionId),
    getToken(dependencies, context, input.tokenId, { permission: 'token:use' }),
    input.threeDSessionId === undefined
      ? undefined
      : getThreeDsSession(dependencies, tenantId, input.threeDSessionId),
  ]);
  if (connection.status === 'rejected') throw naming(connection.reason, 'connection');
  if (token.status === 'rejected') throw naming(token.reason, 'token');
  requireWhole(token.value);
  const refused = refusalByTokenType(token.value.token.type);
  if (refused !== undefined) throw errorOf(refused);
  return {
    connection: await usable(dependencies, connection.value, input),
    token: token.value,
    session: sessionFor(input, session),
  };
}

/** A request names both, so that an answer which says no more than "not found" would leave open which. */
const naming = (reason: unknown, what: 'connection' | 'token'): unknown =>
  reason instanceof NotFound ? new NotFound(`There is no ${what} with this id.`) : reason;

/** A rule may grant the use of no more than a mask, which cannot be charged. */
function requireWhole({ token, transform }: ShownToken): void {
  if (transform === 'reveal') return;
  throw new Forbidden('token:use is granted for a masked view of this token only.').about(token.id);
}

async function usable(
  dependencies: PaymentDependencies,
  found: LiveConnection,
  input: TransactionInput,
): Promise<LiveConnection> {
  const deadline = performance.now() + patience;
  for (let connection = found; ;) {
    const formula = findFormula(connection.formulaId);
    if (formula === undefined) throw new Error(`there is no formula ${connection.formulaId}`);
    const refusal = refusalByConnection(connection, formula.supportedFeatures, input);
    if (refusal === undefined) return connection;
    if (refusal.refused !== 'conflict' || performance.now() > deadline) throw errorOf(refusal);
    await sleep(pause);
    connection = await getConnection(dependencies, connection.tenantId, connection.id);
  }
}

function sessionFor(
  { tokenId }: TransactionInput,
  found: PromiseSettledResult<LiveThreeDsSession | undefined>,
): LiveThreeDsSession | undefined {
  if (found.status === 'rejected') {
    if (found.reason instanceof NotFound) throw wrongSession('names no 3-D Secure session');
    throw found.reason;
  }
  if (found.value !== undefined && found.value.tokenId !== tokenId) {
    throw wrongSession('names a 3-D Secure session of another token');
  }
  return found.value;
}

const wrongSession = (message: string): ValidationFailed =>
  new ValidationFailed({ three_d_session_id: [message] });
