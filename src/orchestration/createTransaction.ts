import { recordTokenUse } from '#commands/recordUse.ts';
import type { CommandContext, Outcome } from '#commands/context.ts';
import { beginTransaction } from '#commands/transaction/begin.ts';
import type { Beginning } from '#commands/transaction/begin.ts';
import { loadTransaction } from '#commands/transaction/load.ts';
import type { TransactionInput } from '#domain/transaction/input.ts';
import type { Transaction } from '#domain/transaction/state.ts';
import { threeDSecureOf } from '#domain/threeDs/summary.ts';
import type { Json } from '#ports/json.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId, resourceId } from '#src/identifiers.ts';
import { admit } from '#src/orchestration/admit.ts';
import type { Admitted } from '#src/orchestration/admit.ts';
import { passedThrough } from '#src/orchestration/authentication.ts';
import { makeCall } from '#src/orchestration/calls.ts';
import { faceOf, paymentCardOf, schemeOf } from '#src/orchestration/card.ts';
import { carryOut, seeThrough } from '#src/orchestration/carryOut.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { gatewayOf } from '#src/orchestration/gateway.ts';
import { buyersWayBack } from '#src/orchestration/materials.ts';

/**
 * Authorizes a card token with the provider of a connection, and captures it where that is the intent. Once the
 * provider has been asked, whatever it says is the transaction's, and no error. spec: Create Transaction
 * @throws NotFound, Forbidden, ValidationFailed, Conflicted, Unavailable: no transaction was made
 */
export async function createTransaction(
  dependencies: PaymentDependencies,
  context: CommandContext,
  input: TransactionInput,
): Promise<Outcome<Transaction>> {
  const { tenantId, commandId } = context;
  const id = resourceId(commandId, 'transaction');
  const callId = derivedId(commandId, 'call');
  const made = context.repeated ? await loadTransaction(dependencies, tenantId, id) : undefined;
  if (made !== undefined) return seeThrough(dependencies, context, made, callId);
  const admitted = await admit(dependencies, context, input);
  const { connection, token, session } = admitted;
  const data = token.data ?? null;
  const card = paymentCardOf(data, input);
  const [gateway, authentication, returnUrl] = await Promise.all([
    gatewayOf(dependencies, connection),
    session === undefined ? undefined : passedThrough(dependencies, session),
    buyersWayBack(dependencies, { ...input, tenantId, id }),
  ]);
  const beginning = { transaction: newTransaction(id, admitted, input, data), callId, face: faceOf(data) };
  const [executed] = await Promise.all([
    beginTransaction(dependencies, context, beginning),
    recordTokenUse(dependencies, context, token.token.id, 'reveal'),
  ]);
  const { state } = executed;
  if (state.status === 'absent') throw new NotFound();
  const opened = { ...executed, state };
  if (executed.repeated) return seeThrough(dependencies, context, opened, callId);
  return carryOut(
    dependencies,
    context,
    opened,
    callId,
    (transaction, call) => makeCall(gateway, transaction, call, { card, authentication, returnUrl }),
    { cvcWasSent: card?.cvc !== undefined },
  );
}

function newTransaction(
  id: string,
  { connection, session, token }: Admitted,
  input: TransactionInput,
  card: Json,
): Beginning['transaction'] {
  return {
    id,
    token_id: input.tokenId,
    token_containers: [...token.token.containers],
    connection: {
      id: connection.id,
      display_name: connection.displayName,
      method: connection.method,
      connection_formula_id: connection.formulaId,
    },
    scheme: schemeOf(card),
    amount: input.amount,
    currency: input.currency,
    country: input.country,
    external_identifier: input.externalIdentifier,
    intent: input.intent,
    is_subsequent_payment: input.isSubsequentPayment,
    merchant_initiated: input.merchantInitiated,
    metadata: input.metadata,
    payment_source: input.paymentSource,
    previous_scheme_transaction_id: input.previousSchemeTransactionId,
    three_d_session_id: input.threeDSessionId,
    three_d_secure: session === undefined ? undefined : threeDSecureOf(session),
  };
}
