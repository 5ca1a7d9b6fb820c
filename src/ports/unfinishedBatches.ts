/** Tokens that one command makes together on a log that cannot write them together. */
export type UnfinishedBatch = { tenantId: string; commandId: string; streams: readonly string[] };

/** Remembers what has to be undone when a process ends in the middle of it. */
export interface UnfinishedBatches {
  /** Before the first is written; again by a retry, which then has time anew. @throws StoreUnavailable */
  begin(batch: UnfinishedBatch): Promise<void>;
  /** After the last was written, or all were undone. @throws StoreUnavailable */
  end(tenantId: string, commandId: string): Promise<void>;
  /** Those that nobody has touched since, over all tenants. */
  abandoned(since: Date): Promise<UnfinishedBatch[]>;
}
