import type { ProviderFacts } from '#domain/transaction/state.ts';

/** How a call turned out: from its answer, from a notification, or from asking the provider afterwards. */
export type Outcome = Partial<ProviderFacts> & { operationId?: string; connectionRefundId?: string } & (
    | { kind: 'pending' | 'voided' | 'unknown' }
    /** `captured`: whether the money was taken, too; missing where that is not known. */
    | { kind: 'succeeded'; captured?: boolean }
    | {
        kind: 'approval_required';
        approvalUrl: string;
        approvalPayloadId?: string;
        approvalExpiresAt: string;
      }
    /** `takesBack`: the provider had said that it happened, and now says that it did not. */
    | { kind: 'declined' | 'failed'; errorCode: string; takesBack?: boolean }
  );
