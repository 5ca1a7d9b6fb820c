import {
  approvalAmount,
  refusedAuthorizations,
  refusedCaptures,
  refusedRefunds,
  refusedVoids,
  slowCaptureAmount,
  slowRefundAmount,
  slowVoidAmount,
} from '#infra/providers/sandbox/amounts.ts';
import { cardFacts, issuerFacts } from '#infra/providers/sandbox/facts.ts';
import type { SandboxAuthorization } from '#infra/providers/sandbox/facts.ts';
import { operationIdOf, readTransactionId, transactionIdOf } from '#infra/providers/sandbox/reference.ts';
import type { SandboxReference } from '#infra/providers/sandbox/reference.ts';
import type { PaymentErrorCode } from '#domain/transaction/errorCodes.ts';
import type { Declined, PaymentFacts, Pending, Succeeded } from '#ports/paymentOutcome.ts';
import type {
  ApprovalCall,
  CaptureCall,
  PaymentCard,
  PaymentSoFar,
  RefundCall,
  VoidCall,
} from '#ports/paymentProvider.ts';

export type SandboxOutcome = Succeeded | Pending | Declined;

/** Makes the address of the page on which the buyer approves. */
export type ApprovalUrlOf = (transactionId: string, returnUrl: string) => string;

/*
 * Every outcome is a function of the call alone, and of `at`, the time it was first made. Nothing is remembered: a
 * repetition, another process, and a question after a crash all come to the same outcome. What came of earlier steps
 * is in the transaction id and in what the caller says of the payment.
 */

export function authorizationOf(
  call: SandboxAuthorization,
  at: Date,
  approvalUrlOf: ApprovalUrlOf,
): SandboxOutcome {
  const { intent, money, connection, idempotencyKey, returnUrl } = call;
  const { amount } = money;
  const id = transactionIdOf(connection.tenantId, idempotencyKey, { authorizedAmount: amount, intent });
  const refusal = refusedAuthorizations.get(amount) ?? refusalOfCard(call.card, at) ?? refusalOfBuyer(call);
  const checked = { transactionId: id, ...cardFacts(call) };
  const facts = { ...checked, ...issuerFacts(id, refusal) };
  if (refusal !== undefined) return { status: 'declined', errorCode: refusal, facts };
  if (amount === approvalAmount && returnUrl !== undefined && !call.use.merchantInitiated) {
    return {
      status: 'pending',
      waitingFor: 'buyer',
      approvalUrl: approvalUrlOf(id, returnUrl),
      facts: checked,
    };
  }
  if (amount === slowCaptureAmount && intent === 'capture') {
    return { status: 'pending', waitingFor: 'provider', facts };
  }
  return { status: 'succeeded', facts, amount, captured: intent === 'capture', at: at.toISOString() };
}

function refusalOfCard(card: PaymentCard | undefined, at: Date): PaymentErrorCode | undefined {
  if (card === undefined) return undefined;
  // A card is good to the last day of its month, wherever on earth that day ends last.
  const end = Date.UTC(card.expirationYear, card.expirationMonth, 1, 12);
  return at.getTime() >= end ? 'expired_payment_method' : undefined;
}

function refusalOfBuyer({
  money,
  use,
  returnUrl,
  authentication,
}: SandboxAuthorization): PaymentErrorCode | undefined {
  const response = authentication?.authenticationResponse ?? authentication?.directoryResponse;
  if (response === 'N' || response === 'R') return 'failed_buyer_approval';
  if (money.amount !== approvalAmount) return undefined;
  if (use.merchantInitiated) return 'requires_buyer_authentication';
  return returnUrl === undefined ? 'missing_redirect_url' : undefined;
}

/** The page on which the buyer approves adds `result` to the return URL. */
export function approvalOf(call: ApprovalCall, at: Date): SandboxOutcome {
  const { transactionId } = call.payment;
  const reference = readTransactionId(transactionId);
  if (reference?.authorizedAmount !== approvalAmount) return declined('unknown_service_resource', {});
  const facts: PaymentFacts = { transactionId };
  const threeDSecure = (status: 'complete' | 'declined' | 'cancelled'): PaymentFacts => ({
    ...facts,
    threeDSecure: { version: '2.2.0', status, method: 'challenge' },
  });
  switch (call.returned['result']) {
    case 'approved': {
      const { authorizedAmount: amount, intent } = reference;
      const approved = { ...threeDSecure('complete'), ...issuerFacts(transactionId) };
      return {
        status: 'succeeded',
        facts: approved,
        amount,
        captured: intent === 'capture',
        at: at.toISOString(),
      };
    }
    case 'cancelled':
      return declined('cancelled_buyer_approval', threeDSecure('cancelled'));
    default:
      return declined('failed_buyer_approval', threeDSecure('declined'));
  }
}

export function captureOf(
  { connection, idempotencyKey, payment, amount }: CaptureCall,
  at: Date,
): SandboxOutcome {
  const reference = readTransactionId(payment.transactionId);
  const facts = stepFacts(payment.transactionId, operationIdOf(connection.tenantId, idempotencyKey));
  if (reference === undefined) return declined('unknown_service_resource', facts);
  if (isCaptured(reference, payment)) return declined('invalid_operation', facts);
  if (amount < 1 || amount > reference.authorizedAmount) return declined('invalid_amount', facts);
  const refusal = refusedCaptures.get(amount);
  if (refusal !== undefined) return declined(refusal, facts);
  if (amount === slowCaptureAmount) return { status: 'pending', waitingFor: 'provider', facts };
  return { status: 'succeeded', facts, amount, captured: true, at: at.toISOString() };
}

export function voidOf({ connection, idempotencyKey, payment }: VoidCall, at: Date): SandboxOutcome {
  const reference = readTransactionId(payment.transactionId);
  const facts = stepFacts(payment.transactionId, operationIdOf(connection.tenantId, idempotencyKey));
  if (reference === undefined) return declined('unknown_service_resource', facts);
  if (isCaptured(reference, payment)) return declined('invalid_operation', facts);
  const { authorizedAmount: amount } = reference;
  const refusal = refusedVoids.get(amount);
  if (refusal !== undefined) return declined(refusal, facts);
  if (amount === slowVoidAmount) return { status: 'pending', waitingFor: 'provider', facts };
  return { status: 'succeeded', facts, amount, captured: false, at: at.toISOString() };
}

export function refundOf(
  { connection, idempotencyKey, payment, amount }: RefundCall,
  at: Date,
): SandboxOutcome {
  const reference = readTransactionId(payment.transactionId);
  const facts = stepFacts(payment.transactionId, operationIdOf(connection.tenantId, idempotencyKey));
  if (reference === undefined) return declined('unknown_service_resource', facts);
  const captured = Math.min(payment.capturedAmount, reference.authorizedAmount);
  if (captured === 0) return declined('invalid_operation', facts);
  if (amount < 1 || amount > captured - payment.refundedAmount) return declined('invalid_amount', facts);
  const refusal = refusedRefunds.get(amount);
  if (refusal !== undefined) return declined(refusal, facts);
  if (amount === slowRefundAmount) return { status: 'pending', waitingFor: 'provider', facts };
  return { status: 'succeeded', facts, amount, captured: true, at: at.toISOString() };
}

const isCaptured = (reference: SandboxReference, payment: PaymentSoFar): boolean =>
  reference.intent === 'capture' || payment.capturedAmount > 0;

const stepFacts = (transactionId: string, operationId: string): PaymentFacts => ({
  transactionId,
  operationId,
});

const declined = (errorCode: PaymentErrorCode, facts: PaymentFacts): Declined => ({
  status: 'declined',
  errorCode,
  facts: { ...facts, rawResponseCode: errorCode },
});
