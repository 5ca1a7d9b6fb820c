import type pg from 'pg';

/** Removes claims that nobody holds; to be run now and then, as the owner. */
export async function sweepFingerprintClaims(pool: pg.Pool): Promise<void> {
  await pool.query('delete from work.fingerprint_claims where lease_until <= now()');
}
