import { requirePayment } from '#src/orchestration/requirePayment.ts';
import { openCalls } from '#domain/transaction/state.ts';
import { presentRefund } from '#http/presenters/transaction.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import { Refund, RefundList, RefundTransaction } from '#http/schemas/transaction.ts';
import { getRefund, getTransaction } from '#queries/transaction/get.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { refundTransaction } from '#src/orchestration/steps.ts';

const tags = ['Transactions'];
const permission = 'token:use';
const entity = 'transaction';
/** Of the envelope, which the reference has; a transaction has few refunds. */
const limit = 20;

/** Source: reference of transactions, refunds. */
export const refundRoutes = (dependencies: PaymentDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/orchestration/transactions/:id/refunds',
    summary: 'Refund a transaction',
    description: 'All that was captured, or a part of it, as often as something is left.',
    tags,
    permission,
    audits: { entity, operation: 'refund' },
    body: RefundTransaction,
    bodyOptional: true,
    responses: { 201: Refund },
    handle: async (request) => {
      const { amount, reason } = request.body;
      const asked = { amount: amount ?? undefined, reason: reason ?? undefined };
      const { id } = request.params;
      const refunded = await refundTransaction(dependencies, commandContext(request), id, asked);
      const { transaction } = refunded.result;
      return {
        ...answer(201, refunded, ({ refund }) => presentRefund(transaction, refund)),
        transient: openCalls(transaction).some(({ progress }) => progress === 'requested'),
      };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/orchestration/transactions/:id/refunds',
    summary: 'List the refunds of a transaction, newest first',
    tags,
    permission,
    audits: { entity },
    responses: { 200: RefundList },
    handle: async ({ caller, params }) => {
      const transaction = await getTransaction(dependencies, caller.tenantId, params.id);
      requirePayment(caller, permission, transaction);
      const data = transaction.refunds.toReversed().map((refund) => presentRefund(transaction, refund));
      const pagination = { limit: Math.max(limit, data.length), next_cursor: null, previous_cursor: null };
      return { status: 200, body: { pagination, data } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/orchestration/refunds/:id',
    summary: 'Get a refund',
    tags,
    permission,
    audits: { entity },
    responses: { 200: Refund },
    handle: async ({ caller, params }) => {
      const { transaction, refund } = await getRefund(dependencies, caller.tenantId, params.id);
      requirePayment(caller, permission, transaction);
      return { status: 200, body: presentRefund(transaction, refund) };
    },
  }),
];
