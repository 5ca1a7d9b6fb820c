import type { ShownJob } from '#domain/accountUpdater/shown.ts';

/** A row of the view of jobs. */
export type JobRow = {
  key: string;
  tenant_id: string;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  expires_at: Date;
  errors: string[] | null;
  created_by: string | null;
  created_at: Date;
  ordinal: string;
};

export const jobColumns = `job.id::text as key, job.tenant_id, job.status, job.expires_at, job.errors,
  job.created_by, job.created_at, job.ordinal`;

export function jobOf(row: JobRow): ShownJob {
  const facts = {
    id: row.key,
    tenantId: row.tenant_id,
    createdBy: row.created_by ?? undefined,
    createdAt: row.created_at.toISOString(),
  };
  switch (row.status) {
    case 'pending':
      return { ...facts, status: 'pending', expiresAt: row.expires_at.toISOString() };
    case 'failed':
      return { ...facts, status: 'failed', errors: row.errors ?? [] };
    default:
      return { ...facts, status: row.status };
  }
}
