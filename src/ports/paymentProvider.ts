import type { Declined, Pending, ProviderOutcome, Succeeded, Unauthorized } from '#ports/paymentOutcome.ts';

/** Whose account at the provider. The values of secret fields come from the vault for the time of a call. */
export type ProviderConnection = {
  tenantId: string;
  /** Values by the keys of the connection's formula. */
  fields: Readonly<Record<string, string>>;
};

type Call = {
  connection: ProviderConnection;
  /**
   * The same for every repetition of this call, and for no other call of the connection: 8 to 64 characters of
   * letters, digits, `-` and `_`, which is what every provider takes.
   */
  idempotencyKey: string;
};

export type Money = {
  /** In minor units of the currency by ISO 4217. */
  amount: number;
  /** Three letters, upper case. */
  currency: string;
};

export type PaymentCard = {
  /** Digits only. */
  number: string;
  /** 1 to 12. */
  expirationMonth: number;
  /** Four digits. */
  expirationYear: number;
  /** Only while the token holds it, and never when the merchant initiates. */
  cvc?: string;
  holderName?: string;
};

/** What an authentication made elsewhere brought, to be passed through. Terms of EMV 3-D Secure. */
export type AuthenticationData = {
  /** Such as `2.2.0`. */
  version: string;
  /** The cryptogram (CAVV, AAV), in base64. */
  authenticationValue?: string;
  /** Two digits. */
  eci?: string;
  directoryServerTransactionId?: string;
  /** The status in the authentication response. */
  directoryResponse?: 'A' | 'C' | 'D' | 'I' | 'N' | 'R' | 'U' | 'Y';
  /** The status after a challenge. */
  authenticationResponse?: 'A' | 'N' | 'U' | 'Y';
};

/** Who started the payment, and from what. Source: spec, common transaction use cases. */
export type PaymentUse = {
  merchantInitiated: boolean;
  paymentSource: 'ecommerce' | 'card_on_file' | 'recurring';
  isSubsequentPayment: boolean;
  /** The network's id of the first payment with this card. */
  previousSchemeTransactionId?: string;
};

export type AuthorizeCall = Call & {
  /** `capture` takes the money with the authorization. */
  intent: 'authorize' | 'capture';
  money: Money;
  card: PaymentCard;
  authentication?: AuthenticationData;
  use: PaymentUse;
  /** Of the payment: two letters, upper case. */
  country?: string;
  metadata?: Readonly<Record<string, string>>;
  /** The caller's own reference. */
  externalIdentifier?: string;
  /** The short form of the transaction's id: what the provider shows, and notifications come back with. */
  reconciliationId: string;
  /** Where the provider sends the buyer back to. Without it no approval can be asked for. */
  returnUrl?: string;
};

/** The payment that a later step is about, as far as it is known by then. Amounts in minor units. */
export type PaymentSoFar = {
  /** The provider's id, from the outcome of its authorization; empty: it has not told any. */
  transactionId: string;
  reconciliationId: string;
  currency: string;
  authorizedAmount: number;
  capturedAmount: number;
  refundedAmount: number;
};

/** Capture and refund may be partial. A capture is the only one of its payment: what it leaves is released. */
export type CaptureCall = Call & { payment: PaymentSoFar; amount: number };
export type VoidCall = Call & { payment: PaymentSoFar };
export type RefundCall = Call & { payment: PaymentSoFar; amount: number; reason?: string };

/** The buyer is back: `returned` are the parameters that the provider added to the return URL. */
export type ApprovalCall = Call & {
  payment: PaymentSoFar;
  intent: 'authorize' | 'capture';
  /** What was asked for. */
  amount: number;
  returned: Readonly<Record<string, string>>;
};

/**
 * What became of a call. `since` is when it was first made. The card of an authorization may be gone from the vault
 * by now, and helps where it is there.
 */
export type Question = { since: Date } & (
  | ({ operation: 'authorize' } & Omit<AuthorizeCall, 'card'> & { card?: PaymentCard })
  | ({ operation: 'capture' } & CaptureCall)
  | ({ operation: 'void' } & VoidCall)
  | ({ operation: 'refund' } & RefundCall)
);

export type Finding =
  /** The provider had the call, and this is what it says of it now. */
  | { status: 'found'; outcome: Succeeded | Pending | Declined }
  /** The provider never had it: the same call under the same key may be made, or left. */
  | { status: 'not_found' }
  /**
   * The provider cannot be asked. The same call under the same key answers what the first brought, and does it once
   * if the first never arrived; later than `withinMilliseconds` after the first it must not be made.
   */
  | { status: 'repeat'; withinMilliseconds: number }
  /** No answer that decides; ask again later. */
  | { status: 'undecided'; retryAfterMilliseconds?: number }
  | Unauthorized;

export type CredentialsCheck =
  | { status: 'valid' }
  | Unauthorized
  /** The provider could not be asked. */
  | { status: 'undecided'; retryAfterMilliseconds?: number };

export type NotificationRequest = {
  connection: ProviderConnection;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The bytes as they came: signatures are over these. */
  body: Uint8Array;
  now: Date;
};

/** One thing that a provider tells unasked. It may come twice, late, and in any order. */
export type Notice = {
  /** The same for every delivery of it. */
  id: string;
  operation: 'authorize' | 'capture' | 'void' | 'refund';
  /** The provider's id of the payment. */
  transactionId: string;
  /** Of the call that it answers, where the provider returns it. */
  idempotencyKey?: string;
  reconciliationId?: string;
  outcome: Succeeded | Pending | Declined;
};

export type NotificationReading =
  /** Everything that does not concern payments is left out. `acknowledgement` is the body to answer with. */
  | { status: 'accepted'; notices: readonly Notice[]; acknowledgement: string }
  /** Not from the provider, or not from now. No word of it may be believed. */
  | { status: 'refused'; reason: 'no_secret' | 'signature' | 'too_old' | 'malformed' };

/**
 * Moves money on cards. Every operation may be repeated under its key and then brings what the first brought. None
 * throws for what a provider does; none repeats a call by itself; no result holds a card number, CVC or key.
 */
export interface PaymentProvider {
  checkCredentials(connection: ProviderConnection): Promise<CredentialsCheck>;
  authorize(call: AuthorizeCall): Promise<ProviderOutcome>;
  completeApproval(call: ApprovalCall): Promise<ProviderOutcome>;
  capture(call: CaptureCall): Promise<ProviderOutcome>;
  void(call: VoidCall): Promise<ProviderOutcome>;
  refund(call: RefundCall): Promise<ProviderOutcome>;
  find(question: Question): Promise<Finding>;
  /** Checks the signature before anything is read. */
  readNotification(request: NotificationRequest): NotificationReading;
}

/** The provider of a formula, by its id or an alias; undefined: nothing can be connected by it yet. */
export type PaymentProviders = (formulaId: string) => PaymentProvider | undefined;
