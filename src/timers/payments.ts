import { setTimeout as delay } from 'node:timers/promises';
import type { OpenCall, OpenPayments } from '#ports/openPayments.ts';
import { TenantKeysMissing } from '#ports/vault.ts';
import type { Timer } from '#ports/timer.ts';
import { endApproval } from '#src/orchestration/approval.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { reconcileCall } from '#src/orchestration/reconcile.ts';

/** So long a call is its request's own affair, in milliseconds: the request waits for less. */
export const lease = 25_000;
const atATime = 500;
const sideBySide = 16;
/** Providers may be slow, and other timers wait, in milliseconds. */
const patience = 10_000;
/** Between two questions about one call, in milliseconds. */
const shortestPause = 5_000;
const longestPause = 6 * 60 * 60_000;

/** Asks providers about the calls that a crash, or a lost answer, left open; less and less often. */
export function reconcilePayments(dependencies: PaymentDependencies, open: OpenPayments): Timer {
  const next = new Map<string, number>();
  return {
    name: 'reconcile_payments',
    schedule: '*/5 * * * * *',
    run: async () => {
      const now = dependencies.clock.now().getTime();
      for (const [id, at] of next) if (at + longestPause < now) next.delete(id);
      const due = async (after?: OpenCall): Promise<void> => {
        const found = await open.calls(new Date(now - lease), after, atATime);
        const calls = found.filter(({ id }) => (next.get(id) ?? 0) <= now);
        for (const { id, requestedAt } of calls) {
          const age = now - requestedAt.getTime();
          next.set(id, now + Math.min(Math.max(age / 5, shortestPause), longestPause));
        }
        await inTurns(dependencies, calls, (call) => reconcileCall(dependencies, call));
        const last = found.length === atATime ? found.at(-1) : undefined;
        if (last !== undefined) await due(last);
      };
      await Promise.race([due(), delay(patience, undefined, { ref: false })]);
    },
  };
}

/** Ends approvals whose buyers did not come back in time. */
export const expireApprovals = (dependencies: PaymentDependencies, open: OpenPayments): Timer => ({
  name: 'expire_approvals',
  schedule: '*/15 * * * * *',
  run: async () => {
    const expired = await open.expiredApprovals(dependencies.clock.now(), atATime);
    const ending = inTurns(dependencies, expired, (subject) => endApproval(dependencies, subject));
    await Promise.race([ending, delay(patience, undefined, { ref: false })]);
  },
});

/** Some at a time; one that fails keeps no other from being done. */
async function inTurns<Item>(
  { logger }: PaymentDependencies,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += sideBySide) {
    await Promise.all(
      items.slice(start, start + sideBySide).map((item) =>
        work(item).catch((error: unknown) => {
          // There is nothing to be done for a tenant that was erased.
          if (error instanceof TenantKeysMissing) return;
          logger.warn({ err: error }, 'an open payment could not be seen to, and comes again');
        }),
      ),
    );
  }
}
