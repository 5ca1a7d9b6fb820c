import { at, numberAt, textAt } from '#infra/providers/http/json.ts';
import { shownId, shownText } from '#infra/providers/http/shownText.ts';
import { errorCodeOf, refundErrorOf } from '#infra/providers/stripe/errorCodes.ts';
import { factsOfError, factsOfIntent } from '#infra/providers/stripe/facts.ts';
import type { Reply } from '#infra/providers/stripe/stripeHttp.ts';
import type { Declined, NotDone, Pending, Succeeded, Unauthorized, Unknown } from '#ports/paymentOutcome.ts';

export type Settled = Succeeded | Pending | Declined;
type Failed = Declined | Unauthorized | NotDone | Unknown;

/** The object in an answer of success, or what the call failed with. */
export function readReply(reply: Reply): { status: 'read'; json: unknown } | Failed {
  if (reply.status !== 'answered') return reply;
  const { code, json } = reply;
  if (code < 300) return { status: 'read', json };
  if (code === 401) return { status: 'unauthorized', errorCode: 'invalid_service_credentials' };
  if (code === 403) return { status: 'unauthorized', errorCode: 'insufficient_service_permissions' };
  const error = at(json, 'error');
  // The key belongs to a call with other parameters, which may well have moved money.
  if (at(error, 'type') === 'idempotency_error') return { status: 'unknown', reason: 'conflict' };
  if (code === 409) return { status: 'unknown', reason: 'in_progress' };
  if (error === undefined) return { status: 'unknown', reason: 'invalid_answer' };
  const codes = { code: textAt(error, 'code'), declineCode: textAt(error, 'decline_code') };
  const errorCode = errorCodeOf(codes, code === 402 ? 'issuer_decline' : 'invalid_service_request');
  const intent = at(error, 'payment_intent');
  return { status: 'declined', errorCode, facts: { ...factsOfIntent(intent), ...factsOfError(error) } };
}

/** What a PaymentIntent says of its authorization. Source: https://docs.stripe.com/payments/paymentintents/lifecycle. */
export function authorizationOutcome(intent: unknown): Settled | Unknown {
  const facts = factsOfIntent(intent);
  const amount = numberAt(intent, 'amount');
  if (facts.transactionId === undefined || amount === undefined) {
    return { status: 'unknown', reason: 'invalid_answer' };
  }
  switch (at(intent, 'status')) {
    case 'requires_capture':
    case 'succeeded':
      return {
        status: 'succeeded',
        facts,
        amount,
        captured: at(intent, 'status') === 'succeeded',
        ...timeOf(intent),
      };
    case 'requires_action': {
      const approvalUrl = textAt(intent, 'next_action', 'redirect_to_url', 'url');
      return approvalUrl === undefined
        ? { status: 'declined', errorCode: 'requires_buyer_authentication', facts }
        : { status: 'pending', waitingFor: 'buyer', approvalUrl, facts };
    }
    case 'requires_payment_method':
    case 'canceled': {
      const error = at(intent, 'last_payment_error');
      const codes = { code: textAt(error, 'code'), declineCode: textAt(error, 'decline_code') };
      const lapsed = at(intent, 'cancellation_reason') === 'automatic';
      return {
        status: 'declined',
        errorCode: errorCodeOf(codes, lapsed ? 'expired_authorization' : 'other_decline'),
        facts,
      };
    }
    case 'processing':
    case 'requires_confirmation':
      return { status: 'pending', waitingFor: 'provider', facts };
    default:
      return { status: 'unknown', reason: 'invalid_answer' };
  }
}

/** What a PaymentIntent says of the one capture of its payment; `undefined`: it was not captured. */
export function captureOutcome(intent: unknown): Settled | undefined {
  const facts = factsOfIntent(intent);
  switch (at(intent, 'status')) {
    case 'succeeded':
      return { status: 'succeeded', facts, amount: numberAt(intent, 'amount_received') ?? 0, captured: true };
    case 'processing':
      return { status: 'pending', waitingFor: 'provider', facts };
    case 'canceled':
      return { status: 'declined', errorCode: 'expired_authorization', facts };
    default:
      return undefined;
  }
}

/** `undefined`: it was not canceled, and still can be. */
export function voidOutcome(intent: unknown): Settled | undefined {
  const facts = factsOfIntent(intent);
  switch (at(intent, 'status')) {
    case 'canceled': {
      const canceledAt = numberAt(intent, 'canceled_at');
      const when = canceledAt === undefined ? {} : { at: isoOf(canceledAt) };
      return {
        status: 'succeeded',
        facts,
        amount: numberAt(intent, 'amount') ?? 0,
        captured: false,
        ...when,
      };
    }
    case 'succeeded':
      return { status: 'declined', errorCode: 'invalid_operation', facts };
    default:
      return undefined;
  }
}

/** Source: https://docs.stripe.com/api/refunds/object. */
export function refundOutcome(refund: unknown): Settled | Unknown {
  const operationId = shownId(at(refund, 'id'));
  const transactionId = shownId(at(refund, 'payment_intent'));
  const status = textAt(refund, 'status');
  if (operationId === undefined || status === undefined) {
    return { status: 'unknown', reason: 'invalid_answer' };
  }
  const reason = shownText(at(refund, 'failure_reason'));
  const facts = {
    operationId,
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(reason === undefined ? {} : { rawResponseCode: reason }),
  };
  switch (status) {
    case 'succeeded': {
      const amount = numberAt(refund, 'amount') ?? 0;
      return { status: 'succeeded', facts, amount, captured: true, ...timeOf(refund) };
    }
    case 'failed':
    case 'canceled':
      // Banks send refunds back days after they had succeeded.
      return { status: 'declined', errorCode: refundErrorOf(reason), facts, takesBack: true };
    default:
      return { status: 'pending', waitingFor: 'provider', facts };
  }
}

/** The charge's time where it is there: that of an intent is older than a buyer's approval. */
function timeOf(object: unknown): { at?: string } {
  const created = numberAt(object, 'latest_charge', 'created') ?? numberAt(object, 'created');
  return created === undefined ? {} : { at: isoOf(created) };
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
