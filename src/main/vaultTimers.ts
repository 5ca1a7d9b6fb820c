import { sweepDestroyedTenants, sweepExpired } from '#infra/vault/sweeps/sweepExpired.ts';
import { sweepFingerprintClaims } from '#infra/vault/sweeps/sweepFingerprintClaims.ts';
import { sweepIdempotencyKeys } from '#infra/vault/sweeps/sweepIdempotencyKeys.ts';
import { SweepStopped, sweepOrphans } from '#infra/vault/sweeps/sweepOrphans.ts';
import { sweepReactorLogs } from '#infra/vault/sweeps/sweepReactorLogs.ts';
import { sweepShortLived } from '#infra/vault/sweeps/sweepShortLived.ts';
import type { Timer } from '#ports/timer.ts';
import type { Composition } from '#src/main/compose.ts';

const everyMinute = '* * * * *';
const everyTenMinutes = '*/10 * * * *';

/** What the vault forgets by itself. */
export function vaultTimers({
  pools: { owner },
  clock,
  log,
  logGuard,
  config,
  logger,
}: Composition): Timer[] {
  const timer = (name: string, schedule: string, sweep: () => Promise<unknown>): Timer => ({
    name,
    schedule,
    run: async () => {
      await sweep();
    },
  });
  const isReferenced = async (_tenantId: string, stream: string, payloadId: string): Promise<boolean> => {
    const events = await log.readStream(stream);
    // Events name payloads in more than one field; a uuid stands nowhere by chance.
    return events.some(({ data }) => JSON.stringify(data).includes(payloadId));
  };
  return [
    timer('sweep_short_lived', everyMinute, () => sweepShortLived(owner, clock.now())),
    timer('sweep_expired_payloads', everyMinute, () => sweepExpired(owner, clock.now())),
    timer('sweep_idempotency_keys', everyTenMinutes, () => sweepIdempotencyKeys(owner, clock.now())),
    timer('sweep_fingerprint_claims', everyTenMinutes, () => sweepFingerprintClaims(owner)),
    timer('sweep_reactor_logs', everyTenMinutes, () => sweepReactorLogs(owner, clock.now())),
    timer('sweep_destroyed_tenants', everyMinute, () => sweepDestroyedTenants(owner)),
    timer('sweep_orphans', everyTenMinutes, async () => {
      try {
        await sweepOrphans({
          pool: owner,
          isReferenced,
          requireLog: () => logGuard.checkWhole(),
          quarantine: config.quarantine,
          plausibleShare: config.orphanShare,
        });
      } catch (error) {
        if (!(error instanceof SweepStopped)) throw error;
        logger.error({ reason: error.message }, 'the sweep of orphaned payloads stopped and deleted nothing');
      }
    }),
  ];
}
