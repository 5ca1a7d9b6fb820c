import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { asTenant, inTenant } from '#infra/vault/tenantStatement.ts';
import type { FingerprintClaims } from '#ports/fingerprintClaims.ts';

/** Longer than an append may take; the claim of a process that was killed lasts so long. */
const lease = `interval '15 seconds'`;

/** @param pool in the role `holdfast_api` */
export function createFingerprintClaims(pool: pg.Pool): FingerprintClaims {
  return {
    take: async (tenantId, fingerprint, holder) => {
      const { rows } = await reachable(() =>
        pool.query({
          name: 'fingerprint claim',
          text: `${asTenant}
            insert into work.fingerprint_claims as held (tenant_id, fingerprint, holder, lease_until)
            select tenant.id, $2, $3, now() + ${lease} from tenant
            on conflict (tenant_id, fingerprint) do update
              set holder = excluded.holder, lease_until = excluded.lease_until
              where held.lease_until <= now() or held.holder = excluded.holder
            returning holder`,
          values: [tenantId, fingerprint, holder],
        }),
      );
      return rows.length === 1;
    },
    confirm: async (tenantId, fingerprints, holder) => {
      // One that ran out and that nobody took is as good; one that is gone was taken, or may have been.
      const { rowCount } = await reachable(() =>
        inTenant(pool, tenantId, (client) =>
          client.query({
            name: 'fingerprint confirm',
            text: `update work.fingerprint_claims set lease_until = now() + ${lease}
              where tenant_id = $1 and fingerprint = any($2) and holder = $3`,
            values: [tenantId, fingerprints, holder],
          }),
        ),
      );
      return rowCount === fingerprints.length;
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
