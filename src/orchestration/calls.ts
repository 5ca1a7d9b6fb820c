import { unreachable } from '#domain/event.ts';
import { reconciliationId } from '#domain/transaction/reconciliationId.ts';
import type { Call, Transaction } from '#domain/transaction/state.ts';
import type { ProviderOutcome } from '#ports/paymentOutcome.ts';
import type {
  AuthenticationData,
  AuthorizeCall,
  PaymentCard,
  PaymentSoFar,
  Question,
} from '#ports/paymentProvider.ts';
import type { Gateway } from '#src/orchestration/gateway.ts';

/** What an authorization takes beside what the transaction itself tells. */
export type Materials = {
  /** Undefined: the vault has none that could be charged. */
  card: PaymentCard | undefined;
  authentication: AuthenticationData | undefined;
  /** Where the buyer comes back to; undefined: no buyer is there. */
  returnUrl: string | undefined;
};

/** For calls that take no card. */
export const noMaterials: Materials = { card: undefined, authentication: undefined, returnUrl: undefined };

/** Makes a call under its key: for the first time or once more, which moves money no second time. */
export function makeCall(
  { provider, account: connection }: Gateway,
  transaction: Transaction,
  call: Call,
  materials: Materials,
): Promise<ProviderOutcome> {
  const key = { connection, idempotencyKey: call.id };
  const payment = paymentSoFar(transaction);
  switch (call.operation) {
    case 'authorization': {
      const { card } = materials;
      // Nobody authorizes a card without its expiry.
      if (card === undefined) {
        return Promise.resolve({ status: 'declined', errorCode: 'incorrect_expiry_date', facts: {} });
      }
      return provider.authorize({ ...authorization(transaction, materials), ...key, card });
    }
    case 'capture':
      return provider.capture({ ...key, payment, amount: call.amount });
    case 'void':
      return provider.void({ ...key, payment });
    case 'refund':
      return provider.refund({ ...key, payment, amount: call.amount, ...reasonOf(transaction, call) });
    case 'reversal': {
      const taken = takenPayment(transaction, call);
      return call.by === 'refund'
        ? provider.refund({ ...key, payment: taken, amount: call.amount })
        : provider.void({ ...key, payment: taken });
    }
    default:
      return unreachable(call.operation);
  }
}

/** What a provider is asked about a call that was left open. */
export function questionOf(
  { account: connection }: Gateway,
  transaction: Transaction,
  call: Call,
  materials: Materials,
): Question {
  const common = { connection, idempotencyKey: call.id, since: new Date(call.requestedAt) };
  const payment = paymentSoFar(transaction);
  switch (call.operation) {
    case 'authorization': {
      const { card } = materials;
      return {
        ...common,
        ...authorization(transaction, materials),
        operation: 'authorize',
        ...(card === undefined ? {} : { card }),
      };
    }
    case 'capture':
      return { ...common, operation: 'capture', payment, amount: call.amount };
    case 'void':
      return { ...common, operation: 'void', payment };
    case 'refund':
      return { ...common, operation: 'refund', payment, amount: call.amount, ...reasonOf(transaction, call) };
    case 'reversal': {
      const taken = takenPayment(transaction, call);
      return call.by === 'refund'
        ? { ...common, operation: 'refund', payment: taken, amount: call.amount }
        : { ...common, operation: 'void', payment: taken };
    }
    default:
      return unreachable(call.operation);
  }
}

/** What a provider needs to know of what it did before. */
export const paymentSoFar = (transaction: Transaction): PaymentSoFar => ({
  transactionId: transaction.connectionTransactionId ?? '',
  reconciliationId: reconciliationId(transaction.id),
  currency: transaction.currency,
  authorizedAmount: transaction.authorizedAmount,
  capturedAmount: transaction.capturedAmount,
  refundedAmount: transaction.refundedAmount,
});

/** The payment as the provider has it, though the transaction does not count it. */
const takenPayment = (transaction: Transaction, { by, amount }: Call): PaymentSoFar => ({
  ...paymentSoFar(transaction),
  authorizedAmount: Math.max(transaction.authorizedAmount, amount),
  capturedAmount: by === 'refund' ? Math.max(transaction.capturedAmount, amount) : 0,
  refundedAmount: 0,
});

type Authorization = Omit<AuthorizeCall, 'card' | 'connection' | 'idempotencyKey'>;

function authorization(transaction: Transaction, { authentication, returnUrl }: Materials): Authorization {
  const { intent, amount, currency, country, metadata, externalIdentifier } = transaction;
  const { merchantInitiated, paymentSource, isSubsequentPayment, previousSchemeTransactionId } = transaction;
  return {
    intent,
    money: { amount, currency },
    use: {
      merchantInitiated,
      paymentSource,
      isSubsequentPayment,
      ...(previousSchemeTransactionId === undefined ? {} : { previousSchemeTransactionId }),
    },
    reconciliationId: reconciliationId(transaction.id),
    ...(authentication === undefined ? {} : { authentication }),
    ...(returnUrl === undefined ? {} : { returnUrl }),
    ...(country === undefined ? {} : { country }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(externalIdentifier === undefined ? {} : { externalIdentifier }),
  };
}

function reasonOf({ refunds }: Transaction, { refundId }: Call): { reason?: string } {
  const reason = refunds.find(({ id }) => id === refundId)?.reason;
  return reason === undefined ? {} : { reason };
}
