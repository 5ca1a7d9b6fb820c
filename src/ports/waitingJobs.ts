export type WaitingJob = { tenantId: string; id: string; expiresAt: Date };

/** Account updater jobs that have not ended, over all tenants. */
export interface WaitingJobs {
  areThere(): Promise<boolean>;
  /** Those that wait for their file, or that have it, oldest first, after the one that is given. */
  find(status: 'pending' | 'processing', after: WaitingJob | undefined, limit: number): Promise<WaitingJob[]>;
}
