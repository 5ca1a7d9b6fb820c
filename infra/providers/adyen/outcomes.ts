import { inProgressCode, refusalErrorOf, requestErrorOf } from '#infra/providers/adyen/errorCodes.ts';
import { factsOfPayment } from '#infra/providers/adyen/facts.ts';
import type { Reply } from '#infra/providers/adyen/adyenHttp.ts';
import { at, numberAt, textAt } from '#infra/providers/http/json.ts';
import { shownId, shownText } from '#infra/providers/http/shownText.ts';
import type { Declined, NotDone, ProviderOutcome, Unauthorized, Unknown } from '#ports/paymentOutcome.ts';

/** The object in an answer of success, or what the call failed with. */
export function readReply(
  reply: Reply,
): { status: 'read'; json: unknown } | Declined | Unauthorized | NotDone | Unknown {
  if (reply.status !== 'answered') return reply;
  const { code, json } = reply;
  if (code < 300) return { status: 'read', json };
  if (code === 401) return { status: 'unauthorized', errorCode: 'invalid_service_credentials' };
  if (code === 403) return { status: 'unauthorized', errorCode: 'insufficient_service_permissions' };
  const errorCode = textAt(json, 'errorCode');
  if (errorCode === inProgressCode || code === 409) return { status: 'unknown', reason: 'in_progress' };
  if (errorCode === undefined) return { status: 'unknown', reason: 'invalid_answer' };
  const transactionId = shownId(at(json, 'pspReference'));
  const rawResponseCode = shownText(errorCode);
  return {
    status: 'declined',
    errorCode: requestErrorOf(code, errorCode),
    // The message may quote what was sent.
    facts: {
      ...(rawResponseCode === undefined ? {} : { rawResponseCode }),
      ...(transactionId === undefined ? {} : { transactionId }),
    },
  };
}

/** Source: https://docs.adyen.com/online-payments/build-your-integration/payment-result-codes. */
export function paymentOutcome(
  payment: unknown,
  asked: { intent: 'authorize' | 'capture'; amount: number },
): ProviderOutcome {
  const facts = factsOfPayment(payment);
  const resultCode = textAt(payment, 'resultCode');
  switch (resultCode) {
    case 'Authorised': {
      if (facts.transactionId === undefined) return { status: 'unknown', reason: 'invalid_answer' };
      const amount = numberAt(payment, 'amount', 'value') ?? asked.amount;
      return { status: 'succeeded', facts, amount, captured: asked.intent === 'capture' };
    }
    case 'RedirectShopper': {
      const approvalUrl = textAt(payment, 'action', 'url');
      // An address is all that is handed on: a form that has to be posted does not fit in it.
      return approvalUrl === undefined || at(payment, 'action', 'method') === 'POST'
        ? { status: 'declined', errorCode: 'requires_buyer_authentication', facts }
        : { status: 'pending', waitingFor: 'buyer', approvalUrl, facts };
    }
    case 'IdentifyShopper':
    case 'ChallengeShopper':
      return { status: 'declined', errorCode: 'requires_buyer_authentication', facts };
    case 'Pending':
    case 'Received':
      return { status: 'pending', waitingFor: 'provider', facts };
    case 'Refused':
    case 'Error':
    case 'Cancelled': {
      const code = textAt(payment, 'refusalReasonCode');
      const errorCode = refusalErrorOf(code, textAt(payment, 'refusalReason'));
      const said = errorCode !== 'other_decline' || resultCode !== 'Error';
      return { status: 'declined', errorCode: said ? errorCode : 'service_error', facts };
    }
    default:
      return { status: 'unknown', reason: 'invalid_answer' };
  }
}

/** Captures, cancels and refunds are taken; what came of them is told by a notification. */
export function modificationOutcome(
  modification: unknown,
  transactionId: string | undefined,
): ProviderOutcome {
  const operationId = shownId(at(modification, 'pspReference'));
  if (operationId === undefined || at(modification, 'status') !== 'received') {
    return { status: 'unknown', reason: 'invalid_answer' };
  }
  const facts = { ...(transactionId === undefined ? {} : { transactionId }), operationId };
  return { status: 'pending', waitingFor: 'provider', facts };
}
