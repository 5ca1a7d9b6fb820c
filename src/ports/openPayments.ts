/** A call of a provider of which it is not known what became. */
export type OpenCall = { tenantId: string; transactionId: string; id: string; requestedAt: Date };

/** What payments wait for, over all tenants. */
export interface OpenPayments {
  /** Oldest first, from a place on, as far as they were requested before a time. */
  calls(before: Date, after: OpenCall | undefined, limit: number): Promise<OpenCall[]>;
  /** Transactions whose buyers have had their time. */
  expiredApprovals(now: Date, limit: number): Promise<{ tenantId: string; id: string }[]>;
}
