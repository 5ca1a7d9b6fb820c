import { isSettled, openCalls } from '#domain/transaction/state.ts';
import type { Call, Transaction } from '#domain/transaction/state.ts';
import type { Notice } from '#ports/paymentProvider.ts';

const operations = {
  authorize: 'authorization',
  capture: 'capture',
  void: 'void',
  refund: 'refund',
} as const;

/** The call that a notice is about; undefined: it cannot be told. */
export function callOf(transaction: Transaction, notice: Notice): Call | undefined {
  return namedBy(notice, transaction) ?? openAbout(notice, transaction) ?? settledAbout(notice, transaction);
}

function namedBy({ idempotencyKey, outcome }: Notice, { calls, refunds }: Transaction): Call | undefined {
  const { operationId } = outcome.facts;
  const refundId = refunds.find(({ connectionRefundId }) => isKnownAs(connectionRefundId, operationId))?.id;
  return (
    calls.find(({ id }) => id === idempotencyKey) ??
    calls.find(
      (call) =>
        isKnownAs(call.operationId, operationId) || (refundId !== undefined && call.refundId === refundId),
    )
  );
}

/** Where a notice does not name its call, it can only be the one that is open. */
function openAbout(notice: Notice, transaction: Transaction): Call | undefined {
  const { operationId } = notice.outcome.facts;
  // One that the provider calls otherwise is another: this may be late news of a call that has ended.
  const open = openCalls(transaction).filter(
    (call) => operationId === undefined || call.operationId === undefined,
  );
  const [only, ...others] = open.filter((call) => isAbout(notice, call));
  if (only !== undefined) return others.length === 0 ? only : undefined;
  return captures(notice, transaction)
    ? open.find(({ operation }) => operation === 'authorization')
    : undefined;
}

/** Late news, of the only call that they can be about; a refund is always named. */
function settledAbout(notice: Notice, transaction: Transaction): Call | undefined {
  const { calls } = transaction;
  if (notice.operation === 'authorize' || captures(notice, transaction)) {
    const authorization = calls.find(({ operation }) => operation === 'authorization');
    return authorization !== undefined && isSettled(authorization) ? authorization : undefined;
  }
  if (notice.operation === 'refund') return undefined;
  const [only, ...others] = calls.filter((call) => isAbout(notice, call));
  return others.length === 0 && only !== undefined && isSettled(only) ? only : undefined;
}

const isAbout = ({ operation }: Notice, call: Call): boolean =>
  call.operation === 'reversal' ? call.by === operation : call.operation === operations[operation];

/** One call authorized and captures. */
const captures = ({ operation }: Notice, { intent, calls }: Transaction): boolean =>
  operation === 'capture' && intent === 'capture' && calls.every((call) => call.operation !== 'capture');

const isKnownAs = (known: string | undefined, id: string | undefined): boolean =>
  known !== undefined && known === id;
