export type WaitingJob = { tenantId: string; id: string; expiresAt: Date };

/** Account updater jobs that wait for their files, over all tenants. */
export interface WaitingJobs {
  /** In the order of their ends, after the one that is given. */
  find(after: WaitingJob | undefined, limit: number): Promise<WaitingJob[]>;
}
