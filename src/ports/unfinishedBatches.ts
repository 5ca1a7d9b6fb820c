/** Tokens that one command makes together on a log that cannot write them together. */
export type UnfinishedBatch = { tenantId: string; commandId: string; streams: readonly string[] };

/**
 * Remembers what has to be undone when a process ends in the middle of it. A batch belongs to its writer, who renews it,
 * until it is claimed by who undoes it; all times are those of one clock, the database's.
 */
export interface UnfinishedBatches {
  /**
   * Before the first is written; again by a retry, which then has time anew. False: the batch is being undone.
   * @throws StoreUnavailable
   */
  begin(batch: UnfinishedBatch): Promise<boolean>;
  /** While it is written. False: it was claimed, or undone. @throws StoreUnavailable */
  renew(tenantId: string, commandId: string): Promise<boolean>;
  /**
   * After the last was written, or its writer undid all. False: it was claimed, or undone, and counts as not written.
   * @throws StoreUnavailable
   */
  end(tenantId: string, commandId: string): Promise<boolean>;
  /** Claims some of those that nobody renewed for two minutes, over all tenants. */
  claimAbandoned(): Promise<UnfinishedBatch[]>;
  /** After all of a claimed batch was undone. */
  forget(tenantId: string, commandId: string): Promise<void>;
}
