import type pg from 'pg';
import type { JobQueue } from '#ports/jobs.ts';

/** Flags a job with its tenant: see the runner. */
export const tenantFlag = (tenantId: string): string => `tenant ${tenantId}`;

/**
 * Jobs of graphile-worker.
 * @param pool as the owner
 */
export const createJobQueue = (pool: pg.Pool): JobQueue => ({
  add: async (jobs) => {
    await pool.query({
      name: 'add_jobs',
      // A job under way is left alone: what it does next is decided by the events that it finds.
      text: `select graphile_worker.add_job(
          job.task, json_build_object('tenant_id', job.tenant_id, 'id', job.id),
          run_at => now() + job.delay * interval '1 millisecond',
          job_key => job.key, flags => array[job.flag], job_key_mode => 'unsafe_dedupe')
        from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::text[])
          as job (task, tenant_id, id, key, delay, flag)`,
      values: [
        jobs.map(({ task }) => task),
        jobs.map(({ tenantId }) => tenantId),
        jobs.map(({ id }) => id),
        jobs.map(({ key }) => key),
        jobs.map(({ delay = 0 }) => delay),
        jobs.map(({ tenantId }) => tenantFlag(tenantId)),
      ],
    });
  },
});
