import { createDeletedConnections } from '#infra/postgres/deletedConnections.ts';
import { createOpenPayments } from '#infra/postgres/openPayments.ts';
import type { PaymentProviders } from '#ports/paymentProvider.ts';
import type { Timer } from '#ports/timer.ts';
import { createPaymentProviders } from '#src/main/paymentProviders.ts';
import { forgetConnections } from '#src/timers/forgetConnections.ts';
import { expireApprovals, reconcilePayments } from '#src/timers/payments.ts';
import type { VaultService } from '#test/support/vaultService.ts';

/** What the timers of a worker do some time from now, in milliseconds. */
export function later(
  { composition }: VaultService,
  milliseconds: number,
  paymentProviders?: PaymentProviders,
) {
  const clock = { now: () => new Date(Date.now() + milliseconds) };
  const payments = {
    ...composition,
    clock,
    publicUrl: composition.config.publicUrl,
    paymentProviders: paymentProviders ?? createPaymentProviders({ ...composition, clock }),
  };
  const open = createOpenPayments(composition.pools.owner);
  const run = async (timer: Timer): Promise<void> => {
    const head = await composition.log.head();
    if (head !== null) await composition.views.waitFor(head);
    await timer.run();
  };
  return {
    reconcile: () => run(reconcilePayments(payments, open)),
    expire: () => run(expireApprovals(payments, open)),
    forget: () => run(forgetConnections(payments, createDeletedConnections(composition.pools.owner))),
  };
}
