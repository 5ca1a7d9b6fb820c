import { systemContext } from '#commands/systemContext.ts';
import { loadTransaction } from '#commands/transaction/load.ts';
import { isSettled } from '#domain/transaction/state.ts';
import type { OpenCall } from '#ports/openPayments.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { noteOutcome } from '#src/orchestration/noteOutcome.ts';
import { resolveCall } from '#src/orchestration/resolve.ts';

export const reconciler = { type: 'system', id: 'payments' } as const;

/** Asks the provider what became of a call that was left open, and writes down what it says. */
export async function reconcileCall(
  dependencies: PaymentDependencies,
  { tenantId, transactionId, id: callId }: Omit<OpenCall, 'requestedAt'>,
): Promise<void> {
  const loaded = await loadTransaction(dependencies, tenantId, transactionId);
  const call = loaded?.state.calls.find(({ id }) => id === callId);
  if (loaded === undefined || call === undefined || isSettled(call)) return;
  const context = systemContext(tenantId, reconciler);
  const outcome = await resolveCall(dependencies, context, loaded.state, call);
  if (outcome === undefined) return;
  await noteOutcome(dependencies, context, { transactionId, callId, outcome }, loaded);
}
