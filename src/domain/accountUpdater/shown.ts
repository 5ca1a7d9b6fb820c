import type { JobState, Work } from '#domain/accountUpdater/state.ts';

/** What is shown of a job: members are there in the states that they belong to. spec: Account Updater Job */
export type ShownJob = {
  id: string;
  tenantId: string;
  createdBy: string | undefined;
  createdAt: string;
} & (
  | { status: 'pending'; expiresAt: string }
  /** Without rows: nobody has looked at the file yet. */
  | { status: 'processing'; rows?: number; processed?: number }
  | { status: 'completed' }
  | { status: 'failed'; errors: readonly string[] }
);

/**
 * Undefined: there is no such job, or no longer.
 * @param now ISO 8601, UTC: what has expired is gone, also when nobody has written that down yet
 */
export function shownJob(state: JobState, now: string): ShownJob | undefined {
  if (state.status === 'absent' || state.status === 'expired') return undefined;
  const { id, tenantId, createdBy, createdAt } = state;
  const facts = { id, tenantId, createdBy, createdAt };
  switch (state.status) {
    case 'pending':
      return now < state.expiresAt ? { ...facts, status: 'pending', expiresAt: state.expiresAt } : undefined;
    case 'processing':
      return { ...facts, status: 'processing', ...(state.work && progressOf(state.work)) };
    case 'completed':
      return { ...facts, status: 'completed' };
    case 'failed':
      return { ...facts, status: 'failed', errors: state.errors };
  }
}

export const progressOf = ({ rows, chunks }: Work): { rows: number; processed: number } => ({
  rows,
  processed: chunks.reduce((sum, chunk) => sum + (chunk.status === 'completed' ? chunk.rows : 0), 0),
});
