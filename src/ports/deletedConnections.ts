/** Connections that were deleted, and of which something is kept, over all tenants. */
export interface DeletedConnections {
  /**
   * Those that were deleted before a time, and through which nothing is under way that was begun after another.
   * Oldest first.
   */
  idle(deletedBefore: Date, begunAfter: Date, limit: number): Promise<{ tenantId: string; id: string }[]>;
}
