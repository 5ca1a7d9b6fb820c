import { systemContext } from '#commands/systemContext.ts';
import { loadTransaction } from '#commands/transaction/load.ts';
import type { LoadedTransaction } from '#commands/transaction/load.ts';
import { fromReconciliationId } from '#domain/transaction/reconciliationId.ts';
import type { NotificationRequest, Notice } from '#ports/paymentProvider.ts';
import { getPayingConnection } from '#queries/connection/get.ts';
import { listTransactions } from '#queries/transaction/list.ts';
import { NotFound, Unauthenticated } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { gatewayOf } from '#src/orchestration/gateway.ts';
import { noteOutcome } from '#src/orchestration/noteOutcome.ts';
import { callOf } from '#src/orchestration/noticedCall.ts';
import { outcomeOf } from '#src/orchestration/outcomes.ts';
import { reconciler } from '#src/orchestration/reconcile.ts';

type Origin = { tenantId: string; connectionId: string };

/**
 * Takes what a provider tells unasked. It may come twice, late and in any order: what is settled stays.
 * @returns what the provider wants to hear
 * @throws NotFound for no such connection; Unauthenticated for what the provider did not sign
 */
export async function takeNotification(
  dependencies: PaymentDependencies,
  { tenantId, connectionId }: Origin,
  { headers, body }: Pick<NotificationRequest, 'headers' | 'body'>,
): Promise<string> {
  if (!isUuid(tenantId)) throw new NotFound();
  const connection = await getPayingConnection(dependencies, tenantId, connectionId);
  const { provider, account } = await gatewayOf(dependencies, connection);
  const now = dependencies.clock.now();
  const reading = provider.readNotification({ connection: account, headers, body, now });
  if (reading.status === 'refused') {
    dependencies.logger.warn(
      { connection: connection.id, reason: reading.reason },
      'a notification was not believed',
    );
    throw new Unauthenticated('The notification is not signed as the connection expects it.');
  }
  for (const notice of reading.notices) {
    await takeNotice(dependencies, { tenantId, connectionId: connection.id }, notice);
  }
  return reading.acknowledgement;
}

async function takeNotice(dependencies: PaymentDependencies, origin: Origin, notice: Notice): Promise<void> {
  const found = await transactionOf(dependencies, origin, notice);
  const call = found === undefined ? undefined : callOf(found.state, notice);
  if (found === undefined || call === undefined) return;
  const outcome = outcomeOf(found.state, call, notice.outcome, { now: dependencies.clock.now() });
  const subject = { transactionId: found.state.id, callId: call.id, outcome };
  await noteOutcome(dependencies, systemContext(origin.tenantId, reconciler), subject, found);
}

/** One of this connection: an account must not speak for the payments of another. */
async function transactionOf(
  dependencies: PaymentDependencies,
  { tenantId, connectionId }: Origin,
  { reconciliationId, transactionId }: Notice,
): Promise<LoadedTransaction | undefined> {
  const own = reconciliationId === undefined ? undefined : fromReconciliationId(reconciliationId);
  const id = own ?? (await idByProvider(dependencies, { tenantId, connectionId }, transactionId));
  const found = id === undefined ? undefined : await loadTransaction(dependencies, tenantId, id);
  return found?.state.connection.id === connectionId ? found : undefined;
}

async function idByProvider(
  dependencies: PaymentDependencies,
  { tenantId, connectionId }: Origin,
  connectionTransactionId: string,
): Promise<string | undefined> {
  const filter = { connectionTransactionId, connectionId };
  const { items } = await listTransactions(dependencies, tenantId, filter, { start: undefined, size: 1 });
  return items[0]?.id;
}
