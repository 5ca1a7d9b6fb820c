import type { CommandContext } from '#commands/context.ts';
import type { Executed } from '#commands/execute.ts';
import type { LoadedTransaction } from '#commands/transaction/load.ts';
import { recordOutcome } from '#commands/transaction/record.ts';
import type { CallOutcome } from '#commands/transaction/record.ts';
import type { Outcome } from '#domain/transaction/outcome.ts';
import type { Call, TransactionState } from '#domain/transaction/state.ts';
import { keepApprovalPage } from '#src/orchestration/approvalPage.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';

/**
 * Writes down what became of a call, with the provider's page for the buyer in the vault, and tells operators where
 * money is held that nobody is to be charged for.
 * @throws NotFound, Conflicted, Unavailable
 */
export async function noteOutcome(
  dependencies: PaymentDependencies,
  context: CommandContext,
  { transactionId, callId, outcome }: CallOutcome,
  loaded: LoadedTransaction,
): Promise<Executed<TransactionState>> {
  const call = loaded.state.calls.find(({ id }) => id === callId);
  const kept = await withPageKept(dependencies, loaded, call, outcome);
  const recorded = await recordOutcome(
    dependencies,
    context,
    { transactionId, callId, outcome: kept },
    loaded,
  );
  if (recorded.position !== undefined) warnOfReversals(dependencies, call, recorded.state);
  return recorded;
}

function withPageKept(
  dependencies: PaymentDependencies,
  { state }: LoadedTransaction,
  call: Call | undefined,
  outcome: Outcome,
): Outcome | Promise<Outcome> {
  const isNews = outcome.kind === 'approval_required' && call?.progress === 'requested';
  return isNews ? keepApprovalPage(dependencies, state, call, outcome) : outcome;
}

function warnOfReversals(
  { logger }: PaymentDependencies,
  about: Call | undefined,
  state: TransactionState,
): void {
  if (state.status === 'absent') return;
  const call = state.calls.find(({ id }) => id === about?.id);
  const subject = { id: state.id, tenant: state.tenantId };
  if (call?.progress === 'reversed') {
    logger.warn(subject, 'a provider did what had been counted as failed: it is being given back');
  }
  if (call?.operation === 'reversal' && (call.progress === 'refused' || call.progress === 'revoked')) {
    logger.error(subject, 'a provider did not give back what it holds: see to it there');
  }
}
