import type { Static } from 'typebox';
import type { ThreeDSecure, TransactionCreated } from '#domain/transaction/events.ts';
import type {
  Intent,
  IntentOutcome,
  Operation,
  PaymentSource,
  RefundStatus,
  TransactionStatus,
} from '#domain/transaction/vocabulary.ts';

/** One call of the provider. Its id is the idempotency key under which the provider hears of it. */
export type Call = {
  id: string;
  operation: Operation;
  /** In minor units. */
  amount: number;
  /** ISO 8601. */
  requestedAt: string;
  /** `requested`: whether the provider has heard of it is not known. `acknowledged`: it has, and will say more. */
  progress: 'requested' | 'acknowledged' | 'settled';
  refundId?: string;
  /** The provider's id of it: what notifications name it by. */
  operationId?: string;
};

export type Refund = {
  id: string;
  callId: string;
  status: RefundStatus;
  amount: number;
  reason: string | undefined;
  connectionRefundId: string | undefined;
  errorCode: string | undefined;
  createdAt: string;
  updatedAt: string;
};

export type CvvResponseCode = 'no_match' | 'match' | 'unavailable' | 'not_provided';

/** What a provider says besides how a call turned out. */
export type ProviderFacts = {
  connectionTransactionId: string | undefined;
  schemeTransactionId: string | undefined;
  authResponseCode: string | undefined;
  cvvResponseCode: CvvResponseCode | undefined;
  threeDSecure: ThreeDSecure | undefined;
};

export type Transaction = ProviderFacts & {
  status: TransactionStatus;
  id: string;
  tenantId: string;
  tokenId: string;
  payloadId: string | undefined;
  scheme: string | undefined;
  connection: Static<typeof TransactionCreated>['connection'];
  /** All amounts are in minor units. */
  amount: number;
  currency: string;
  authorizedAmount: number;
  capturedAmount: number;
  refundedAmount: number;
  country: string | undefined;
  externalIdentifier: string | undefined;
  metadata: Readonly<Record<string, string>> | undefined;
  intent: Intent;
  intentOutcome: IntentOutcome;
  isSubsequentPayment: boolean;
  merchantInitiated: boolean;
  paymentSource: PaymentSource;
  previousSchemeTransactionId: string | undefined;
  threeDSessionId: string | undefined;
  errorCode: string | undefined;
  /** There only while the buyer's approval is waited for. */
  approvalUrl: string | undefined;
  approvalExpiresAt: string | undefined;
  authorizedAt: string | undefined;
  capturedAt: string | undefined;
  voidedAt: string | undefined;
  createdBy: string | undefined;
  createdAt: string;
  updatedAt: string;
  calls: readonly Call[];
  refunds: readonly Refund[];
};

export type TransactionState = { status: 'absent' } | Transaction;

export const initialTransaction: TransactionState = { status: 'absent' };

/** The calls whose outcome is still to be learned. */
export const openCalls = ({ calls }: Transaction): readonly Call[] =>
  calls.filter(({ progress }) => progress !== 'settled');

/** What refunds under way may still return to the buyer. */
export const amountBeingRefunded = ({ refunds }: Transaction): number =>
  refunds.reduce((sum, { status, amount }) => (status === 'processing' ? sum + amount : sum), 0);
