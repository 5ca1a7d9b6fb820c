import type { Static } from 'typebox';
import type { Answered, ThreeDSecure, TransactionCreated } from '#domain/transaction/events.ts';
import type {
  Intent,
  IntentOutcome,
  Operation,
  PaymentSource,
  RefundStatus,
  TransactionStatus,
} from '#domain/transaction/vocabulary.ts';

/**
 * `requested`: whether the provider has heard of it is not known. `acknowledged`: it has, and will say more. The rest
 * is settled; `reversed`: what was refused had happened nevertheless, and is being given back; `revoked`: what was done
 * was taken back, and is believed no more.
 */
export type CallProgress = 'requested' | 'acknowledged' | 'done' | 'refused' | 'reversed' | 'revoked';

/** What gives money back depends on whether it was captured. */
export type ReversalBy = 'void' | 'refund';

/** One call of the provider. Its id is the idempotency key under which the provider hears of it. */
export type Call = {
  id: string;
  operation: Operation;
  /** In minor units. */
  amount: number;
  /** ISO 8601. */
  requestedAt: string;
  progress: CallProgress;
  refundId?: string;
  /** Of a reversal: what the provider is called for. */
  by?: ReversalBy;
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

type Answer = Static<typeof Answered>;

/** What a provider says besides how a call turned out. */
export type ProviderFacts = {
  connectionTransactionId: string | undefined;
  schemeTransactionId: string | undefined;
  authResponseCode: string | undefined;
  cvvResponseCode: Answer['cvv_response_code'];
  avsResponseCode: Answer['avs_response_code'];
  /** The provider's own code and words. */
  rawResponseCode: string | undefined;
  rawResponseDescription: string | undefined;
  /** Further ids by name. */
  additionalIdentifiers: Answer['additional_identifiers'];
  card: Answer['card'];
  threeDSecure: ThreeDSecure | undefined;
};

export type Transaction = ProviderFacts & {
  status: TransactionStatus;
  id: string;
  tenantId: string;
  tokenId: string;
  /** Those that the token had then: they say who may see and move the payment, also when it is gone. */
  tokenContainers: readonly string[];
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
  /** Where the vault keeps the address of the provider's page. */
  approvalPayloadId: string | undefined;
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

export const isSettled = ({ progress }: Call): boolean =>
  progress !== 'requested' && progress !== 'acknowledged';

/** The calls whose outcome is still to be learned. */
export const openCalls = ({ calls }: Transaction): readonly Call[] =>
  calls.filter((call) => !isSettled(call));

/** What refunds under way may still return to the buyer. */
export const amountBeingRefunded = ({ refunds }: Transaction): number =>
  refunds.reduce((sum, { status, amount }) => (status === 'processing' ? sum + amount : sum), 0);
