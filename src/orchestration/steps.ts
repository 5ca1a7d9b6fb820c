import { requirePayment } from '#src/orchestration/requirePayment.ts';
import type { PaymentPermission } from '#src/orchestration/requirePayment.ts';
import type { CommandContext, Outcome } from '#commands/context.ts';
import { loadTransaction } from '#commands/transaction/load.ts';
import { requestStep } from '#commands/transaction/request.ts';
import { findFormula } from '#domain/connection/formulas.ts';
import type { Features } from '#domain/connection/features.ts';
import type { Decision } from '#domain/event.ts';
import { requestCapture, requestRefund, requestVoid } from '#domain/transaction/decide.ts';
import type { TransactionEvent } from '#domain/transaction/events.ts';
import type { Refund, Transaction, TransactionState } from '#domain/transaction/state.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId, resourceId } from '#src/identifiers.ts';
import { makeCall, noMaterials } from '#src/orchestration/calls.ts';
import { carryOut, seeThrough } from '#src/orchestration/carryOut.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { openGateway } from '#src/orchestration/gateway.ts';

/**
 * Captures an authorization, or a part of it; what a provider refuses leaves the transaction as it was, with an
 * error code. spec: Capture Transaction
 * @param amount absent: all of it
 * @throws NotFound, Forbidden, ValidationFailed, Conflicted, Unavailable
 */
export const captureTransaction = (
  dependencies: PaymentDependencies,
  context: CommandContext,
  id: string,
  { amount }: { amount?: number | undefined },
): Promise<Outcome<Transaction>> =>
  step(dependencies, context, id, 'orchestration:transaction:capture', (state, callId, features) =>
    requestCapture(state, { callId, amount }, features),
  );

/** Gives an authorization up. spec: Void Transaction @throws NotFound, Forbidden, ValidationFailed, Conflicted, Unavailable */
export const voidTransaction = (
  dependencies: PaymentDependencies,
  context: CommandContext,
  id: string,
): Promise<Outcome<Transaction>> =>
  step(dependencies, context, id, 'token:use', (state, callId, features) =>
    requestVoid(state, { callId }, features),
  );

/**
 * Returns captured money, or a part of it. Source: reference of transactions.
 * @param amount absent: what is left
 * @throws NotFound, Forbidden, ValidationFailed, Conflicted, Unavailable
 */
export async function refundTransaction(
  dependencies: PaymentDependencies,
  context: CommandContext,
  id: string,
  { amount, reason }: { amount?: number | undefined; reason?: string | undefined },
): Promise<Outcome<{ transaction: Transaction; refund: Refund }>> {
  const refundId = resourceId(context.commandId, 'refund');
  const { result, stale } = await step(dependencies, context, id, 'token:use', (state, callId, features) =>
    requestRefund(state, { callId, refundId, amount, reason }, features),
  );
  const refund = result.refunds.find((one) => one.id === refundId);
  if (refund === undefined) throw new Error('a refund was asked for');
  return { result: { transaction: result, refund }, stale };
}

type Decide = (state: Transaction, callId: string, features: Features) => Decision<TransactionEvent>;

async function step(
  dependencies: PaymentDependencies,
  context: CommandContext,
  id: string,
  permission: PaymentPermission,
  decide: Decide,
): Promise<Outcome<Transaction>> {
  const { tenantId, commandId } = context;
  const found = await loadTransaction(dependencies, tenantId, id);
  if (found === undefined) throw new NotFound();
  requirePayment(context.rights, permission, found.state);
  const callId = derivedId(commandId, 'call');
  // Without its secrets nothing could be asked of the provider, so nothing is written down either.
  const gateway = await openGateway(dependencies, tenantId, found.state.connection.id);
  const executed = await requestStep(dependencies, context, found.state.id, (state) =>
    state.status === 'absent' ? { refused: 'not_found' } : decide(state, callId, featuresOf(state)),
  );
  const opened = { ...executed, state: present(executed.state) };
  if (executed.repeated) return seeThrough(dependencies, context, opened, callId);
  return carryOut(dependencies, context, opened, callId, (transaction, call) =>
    makeCall(gateway, transaction, call, noMaterials),
  );
}

function featuresOf({ connection }: Transaction): Features {
  const formula = findFormula(connection.connection_formula_id);
  if (formula === undefined) throw new Error(`there is no formula ${connection.connection_formula_id}`);
  return formula.supportedFeatures;
}

function present(state: TransactionState): Transaction {
  if (state.status === 'absent') throw new NotFound();
  return state;
}
