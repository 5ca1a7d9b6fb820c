import { unreachable } from '#domain/event.ts';
import { familyOf } from '#domain/transaction/errorCodes.ts';
import type { Outcome } from '#domain/transaction/outcome.ts';
import { isSettled } from '#domain/transaction/state.ts';
import type { Call, ProviderFacts, Transaction } from '#domain/transaction/state.ts';
import { maySendCvc } from '#domain/transaction/useCase.ts';
import type { NotDone, PaymentFacts, ProviderOutcome } from '#ports/paymentOutcome.ts';

/** How long a buyer has for an approval, in milliseconds. Source: reference of transactions. */
export const approvalWindow = 60 * 60_000;

export type Surroundings = {
  now: Date;
  /** Whether the code of the card was sent; undefined: it is not known any more. */
  cvcWasSent?: boolean | undefined;
};

/** What a provider's answer to a call means to the transaction. */
export function outcomeOf(
  transaction: Transaction,
  call: Call,
  answer: ProviderOutcome,
  around: Surroundings,
): Outcome {
  const facts =
    'facts' in answer ? factsOf(transaction, call, answer.facts, around) : unsent(transaction, call, around);
  switch (answer.status) {
    case 'succeeded': {
      // The provider holds the money, and has yet to take it.
      const isOnlyHeld =
        call.operation === 'authorization' && transaction.intent === 'capture' && answer.captured === false;
      if (isOnlyHeld && !isSettled(call)) return { ...facts, kind: 'pending' };
      return {
        ...facts,
        kind: 'succeeded',
        ...(answer.captured === undefined ? {} : { captured: answer.captured }),
      };
    }
    case 'pending':
      if (answer.waitingFor === 'provider') return { ...facts, kind: 'pending' };
      return {
        ...facts,
        kind: 'approval_required',
        approvalUrl: answer.approvalUrl,
        approvalExpiresAt: new Date(around.now.getTime() + approvalWindow).toISOString(),
      };
    case 'declined':
      return {
        ...facts,
        kind: refusalOf(transaction, answer.errorCode),
        errorCode: answer.errorCode,
        ...(answer.takesBack === undefined ? {} : { takesBack: true }),
      };
    case 'unauthorized':
      return { ...facts, kind: 'failed', errorCode: answer.errorCode };
    case 'not_done':
      return { ...facts, kind: 'failed', errorCode: errorCodeOf(answer) };
    case 'unknown':
      return { kind: 'unknown' };
    default:
      return unreachable(answer);
  }
}

/** A buyer who says no declines, whatever the code counts as elsewhere. Source: reference of transactions, row 11. */
function refusalOf({ status }: Transaction, errorCode: string): 'declined' | 'failed' {
  const isBuyers = errorCode === 'failed_buyer_approval' || errorCode === 'cancelled_buyer_approval';
  return status === 'buyer_approval_pending' && isBuyers ? 'declined' : familyOf(errorCode);
}

function errorCodeOf({ reason }: NotDone): string {
  return reason === 'rate_limit'
    ? 'service_rate_limit'
    : reason === 'refused'
      ? 'service_error'
      : 'service_network_error';
}

type Facts = Partial<ProviderFacts> & { operationId?: string; connectionRefundId?: string };

function factsOf(transaction: Transaction, call: Call, said: PaymentFacts, around: Surroundings): Facts {
  const authorizes = call.operation === 'authorization';
  return {
    ...unsent(transaction, call, around),
    ...(said.transactionId === undefined ? {} : { connectionTransactionId: said.transactionId }),
    ...(said.schemeTransactionId === undefined ? {} : { schemeTransactionId: said.schemeTransactionId }),
    ...(said.authResponseCode === undefined ? {} : { authResponseCode: said.authResponseCode }),
    ...(said.rawResponseCode === undefined ? {} : { rawResponseCode: said.rawResponseCode }),
    ...(said.rawResponseDescription === undefined
      ? {}
      : { rawResponseDescription: said.rawResponseDescription }),
    ...(authorizes ? checksOf(transaction, said, around) : {}),
    ...threeDSecureOf(transaction, said),
    ...(said.operationId === undefined
      ? {}
      : call.operation === 'refund'
        ? { connectionRefundId: said.operationId }
        : { operationId: said.operationId }),
  };
}

/** spec: CVV response codes. None whenever nobody was there to enter a code. */
function unsent(transaction: Transaction, call: Call, { cvcWasSent }: Surroundings): Facts {
  const isMissing = call.operation === 'authorization' && maySendCvc(transaction) && cvcWasSent === false;
  return isMissing ? { cvvResponseCode: 'not_provided' } : {};
}

/** What an authorization alone is told of: how code and address compared, and whose card it is. */
const checksOf = (transaction: Transaction, said: PaymentFacts, around: Surroundings): Facts => ({
  ...codeResponse(transaction, said, around),
  ...(said.avsResponseCode === undefined ? {} : { avsResponseCode: said.avsResponseCode }),
  ...(said.additionalIdentifiers === undefined
    ? {}
    : { additionalIdentifiers: { ...said.additionalIdentifiers } }),
  ...cardOf(said),
});

function cardOf({ card = {} }: PaymentFacts): Facts {
  const { cardType, issuerName, paymentAccountReference } = card;
  const known = {
    ...(cardType === undefined ? {} : { type: cardType }),
    ...(issuerName === undefined ? {} : { issuer_name: issuerName }),
    ...(paymentAccountReference === undefined ? {} : { payment_account_reference: paymentAccountReference }),
  };
  return Object.keys(known).length === 0 ? {} : { card: known };
}

function codeResponse(transaction: Transaction, said: PaymentFacts, { cvcWasSent }: Surroundings): Facts {
  if (!maySendCvc(transaction) || cvcWasSent === false || said.cvvResponseCode === undefined) return {};
  return { cvvResponseCode: said.cvvResponseCode };
}

/** What a session of ours brought is known better than by a provider that it was passed through to. */
function threeDSecureOf(transaction: Transaction, { threeDSecure }: PaymentFacts): Facts {
  if (threeDSecure === undefined || transaction.threeDSessionId !== undefined) return {};
  const { version, status, method = 'frictionless' } = threeDSecure;
  return { threeDSecure: { ...(version === undefined ? {} : { version }), status, method } };
}
