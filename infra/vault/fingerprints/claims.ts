import type pg from 'pg';
import type { Clock } from '#ports/clock.ts';
import type { FingerprintClaims } from '#ports/fingerprintClaims.ts';
import { reachable } from '#infra/postgres/failure.ts';
import { asTenant } from '#infra/vault/tenantStatement.ts';

/** Longer than a request may take; the claim of a process that was killed lasts so long, in milliseconds. */
const lease = 10_000;

/** @param pool in the role `holdfast_api` */
export function createFingerprintClaims(pool: pg.Pool, clock: Clock): FingerprintClaims {
  return {
    take: async (tenantId, fingerprint, holder) => {
      const now = clock.now();
      const { rows } = await reachable(() =>
        pool.query({
          name: 'fingerprint claim',
          text: `${asTenant}
            insert into work.fingerprint_claims as held (tenant_id, fingerprint, holder, lease_until)
            select tenant.id, $2, $3, $4 from tenant
            on conflict (tenant_id, fingerprint) do update
              set holder = excluded.holder, lease_until = excluded.lease_until
              where held.lease_until <= $5 or held.holder = excluded.holder
            returning holder`,
          values: [tenantId, fingerprint, holder, new Date(now.getTime() + lease), now],
        }),
      );
      return rows.length === 1;
    },
    release: async (tenantId, fingerprint, holder) => {
      await reachable(() =>
        pool.query({
          name: 'fingerprint release',
          text: `${asTenant}
            insert into work.fingerprint_claims as held (tenant_id, fingerprint, holder, lease_until)
            select tenant.id, $2, $3, '-infinity' from tenant
            on conflict (tenant_id, fingerprint) do update set lease_until = excluded.lease_until
              where held.holder = excluded.holder`,
          values: [tenantId, fingerprint, holder],
        }),
      );
    },
  };
}
