import { systemContext } from '#commands/systemContext.ts';
import { expireApproval } from '#commands/transaction/expireApproval.ts';
import { loadTransaction } from '#commands/transaction/load.ts';
import type { LoadedTransaction } from '#commands/transaction/load.ts';
import { isSettled } from '#domain/transaction/state.ts';
import type { Call, Transaction } from '#domain/transaction/state.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';
import { paymentSoFar } from '#src/orchestration/calls.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { findGateway } from '#src/orchestration/gateway.ts';
import { noteOutcome } from '#src/orchestration/noteOutcome.ts';
import { outcomeOf } from '#src/orchestration/outcomes.ts';
import { reconcileCall, reconciler } from '#src/orchestration/reconcile.ts';
import { isProof } from '#src/orchestration/proof.ts';
import { returnOf } from '#src/orchestration/returnUrl.ts';

/** So long after its time an approval that the provider does not let go of is waited for, in milliseconds. */
const lastWait = 10 * 60_000;

/**
 * The buyer is back from an approval; whoever comes back twice, or late, is told how it stands.
 * @param returned what the provider added to the URL
 * @throws NotFound for a URL that was not made here
 */
export async function completeApproval(
  dependencies: PaymentDependencies,
  subject: { tenantId: string; id: string; proof: string },
  returned: Readonly<Record<string, string>>,
): Promise<Transaction> {
  const { tenantId, id, proof } = subject;
  const loaded = await loadTransaction(dependencies, tenantId, id);
  if (
    loaded === undefined ||
    !(await isProof(dependencies.vault, tenantId, returnOf(loaded.state.id), proof))
  ) {
    throw new NotFound();
  }
  const call = awaited(loaded.state);
  if (call === undefined) return loaded.state;
  const gateway = await findGateway(dependencies, tenantId, loaded.state.connection.id);
  if (gateway === undefined) return loaded.state;
  const { intent, amount } = loaded.state;
  // Another return is another call: a forged one must not use up the key of the true one.
  const said = JSON.stringify(Object.entries(returned).sort());
  const answer = await gateway.provider.completeApproval({
    connection: gateway.account,
    idempotencyKey: derivedId(call.id, 'approval', said),
    payment: paymentSoFar(loaded.state),
    intent,
    amount,
    returned,
  });
  // What did not happen may be tried again, by the buyer or by asking the provider.
  if (answer.status === 'not_done' || answer.status === 'unknown' || answer.status === 'unauthorized') {
    return loaded.state;
  }
  const outcome = outcomeOf(loaded.state, call, answer, { now: dependencies.clock.now() });
  const context = systemContext(tenantId, reconciler);
  const recorded = await noteOutcome(
    dependencies,
    context,
    { transactionId: loaded.state.id, callId: call.id, outcome },
    loaded,
  );
  return recorded.state.status === 'absent' ? loaded.state : recorded.state;
}

/** Ends an approval whose time is over: the buyer may just have approved, so the provider is asked first. */
export async function endApproval(
  dependencies: PaymentDependencies,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<void> {
  const asked = await askAgain(dependencies, tenantId, id);
  if (asked === undefined) return;
  const isReleased = await release(dependencies, asked);
  // It may have been approved at the last moment, which is why nothing could be released.
  if (isReleased === 'refused' && (await askAgain(dependencies, tenantId, id)) === undefined) return;
  const expiry = Date.parse(asked.loaded.state.approvalExpiresAt ?? '');
  const isPatient = dependencies.clock.now().getTime() < expiry + lastWait;
  if (isReleased === 'unknown' && isPatient) return;
  await expireApproval(dependencies, systemContext(tenantId, reconciler), id);
}

type Awaited = { loaded: LoadedTransaction; call: Call };

/** Undefined: nothing is waited for any more. */
async function askAgain(
  dependencies: PaymentDependencies,
  tenantId: string,
  id: string,
): Promise<Awaited | undefined> {
  const before = await awaitedIn(dependencies, tenantId, id);
  if (before === undefined) return undefined;
  await reconcileCall(dependencies, { tenantId, transactionId: id, id: before.call.id });
  return awaitedIn(dependencies, tenantId, id);
}

async function awaitedIn(
  dependencies: PaymentDependencies,
  tenantId: string,
  id: string,
): Promise<Awaited | undefined> {
  const loaded = await loadTransaction(dependencies, tenantId, id);
  const call = loaded === undefined ? undefined : awaited(loaded.state);
  return loaded === undefined || call === undefined ? undefined : { loaded, call };
}

/** Has the provider forget the payment, so that the buyer cannot approve what nobody waits for. */
async function release(
  dependencies: PaymentDependencies,
  { loaded: { state }, call }: Awaited,
): Promise<'released' | 'refused' | 'unknown'> {
  const gateway = await findGateway(dependencies, state.tenantId, state.connection.id);
  if (gateway === undefined) return 'released';
  const { status } = await gateway.provider.void({
    connection: gateway.account,
    idempotencyKey: derivedId(call.id, 'release'),
    payment: paymentSoFar(state),
  });
  if (status === 'succeeded' || status === 'pending') return 'released';
  return status === 'declined' ? 'refused' : 'unknown';
}

const awaited = (transaction: Transaction): Call | undefined =>
  transaction.status === 'buyer_approval_pending'
    ? transaction.calls.find((call) => call.operation === 'authorization' && !isSettled(call))
    : undefined;
