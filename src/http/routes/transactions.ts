import Type from 'typebox';
import { grantsOf } from '#access/evaluate.ts';
import { requirePayment } from '#src/orchestration/requirePayment.ts';
import type { Outcome } from '#commands/context.ts';
import { checkTransactionInput } from '#domain/transaction/input.ts';
import { fromReconciliationId } from '#domain/transaction/reconciliationId.ts';
import { openCalls } from '#domain/transaction/state.ts';
import type { Transaction as TransactionState } from '#domain/transaction/state.ts';
import { transactionStatuses } from '#domain/transaction/vocabulary.ts';
import { placeOf } from '#http/cursor.ts';
import { presentStretch } from '#http/presenters/stretch.ts';
import { presentTransaction } from '#http/presenters/transaction.ts';
import { defineRoute } from '#http/route.ts';
import type { Answer, Route } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import { cursorQuery, stretched } from '#http/schemas/pagination.ts';
import { CaptureTransaction, CreateTransaction, Transaction } from '#http/schemas/transaction.ts';
import { facesOf } from '#queries/transaction/faces.ts';
import { getTransaction } from '#queries/transaction/get.ts';
import { listTransactions } from '#queries/transaction/list.ts';
import type { TransactionSummary } from '#queries/transaction/row.ts';
import { ValidationFailed } from '#src/errors.ts';
import { approvalUrlOf } from '#src/orchestration/approvalPage.ts';
import { createTransaction } from '#src/orchestration/createTransaction.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { captureTransaction, voidTransaction } from '#src/orchestration/steps.ts';

const tags = ['Transactions'];
const entity = 'transaction';
const wanted = (description: string) => Type.Optional(Type.String({ maxLength: 400, description }));

/** spec: Transactions */
export function transactionRoutes(dependencies: PaymentDependencies): Route[] {
  const presenterOf = async (tenantId: string, transactions: readonly TransactionSummary[]) => {
    const [faces, pages] = await Promise.all([
      facesOf(dependencies, tenantId, transactions),
      Promise.all(transactions.map((each) => approvalUrlOf(dependencies, each))),
    ]);
    const approvalUrls = new Map(transactions.map(({ id }, index) => [id, pages[index]]));
    return (transaction: TransactionSummary): object =>
      presentTransaction(transaction, {
        face: faces.get(transaction.id),
        approvalUrl: approvalUrls.get(transaction.id),
      });
  };
  const answerOne = async (status: number, outcome: Outcome<TransactionState>): Promise<Answer> => {
    const { result } = outcome;
    return {
      ...answer(status, outcome, await presenterOf(result.tenantId, [result])),
      // A repetition is to be told how it went on.
      transient: openCalls(result).some(({ progress }) => progress === 'requested'),
    };
  };
  return [
    defineRoute({
      method: 'POST',
      path: '/orchestration/transactions',
      summary: 'Create a transaction',
      description:
        'Authorizes a card token with a payment provider, and captures it with the intent `capture`. What the provider refuses is a transaction with an error code, and no problem.',
      tags,
      permission: 'token:use',
      audits: { entity },
      body: CreateTransaction,
      responses: { 201: Transaction },
      problems: [404, 409],
      handle: async (request) => {
        const checked = checkTransactionInput(request.body);
        if (!checked.valid) throw new ValidationFailed(checked.faults);
        return answerOne(201, await createTransaction(dependencies, commandContext(request), checked.input));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/orchestration/transactions',
      summary: 'List transactions, newest first',
      tags,
      permission: 'token:use',
      audits: { entity },
      query: Type.Object({
        status: Type.Optional(Type.Union(transactionStatuses.map((status) => Type.Literal(status)))),
        connection_id: wanted('Made through this connection.'),
        token: wanted('Made with this token.'),
        external_identifier: wanted("The caller's reference."),
        connection_transaction_id: wanted("The provider's id."),
        reconciliation_id: wanted('The short form of the id that providers show.'),
        ...cursorQuery,
      }),
      responses: { 200: stretched(Transaction) },
      handle: async ({ caller, query }) => {
        const { tenantId } = caller;
        const { start, size, reconciliation_id: short } = query;
        const id = short === undefined ? undefined : (fromReconciliationId(short) ?? nobody);
        const filter = {
          status: query.status,
          connectionId: query.connection_id,
          tokenId: query.token,
          externalIdentifier: query.external_identifier,
          connectionTransactionId: query.connection_transaction_id,
          id,
        };
        const place = start === undefined ? undefined : placeOf(start);
        const grants = grantsOf(caller, 'token:use');
        const found = await listTransactions(
          dependencies,
          tenantId,
          { ...filter, grants },
          { start: place, size },
        );
        return { status: 200, body: presentStretch(found, await presenterOf(tenantId, found.items)) };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/orchestration/transactions/:id',
      summary: 'Get a transaction',
      tags,
      permission: 'token:use',
      audits: { entity },
      responses: { 200: Transaction },
      handle: async ({ caller, params }) => {
        const transaction = await getTransaction(dependencies, caller.tenantId, params.id);
        requirePayment(caller, 'token:use', transaction);
        return answerOne(200, { result: transaction, stale: false });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/orchestration/transactions/:id/capture',
      summary: 'Capture a transaction',
      description: 'Once; what a smaller amount leaves is released.',
      tags,
      permission: 'orchestration:transaction:capture',
      audits: { entity, operation: 'capture' },
      body: CaptureTransaction,
      bodyOptional: true,
      responses: { 200: Transaction },
      handle: async (request) => {
        const amount = request.body.amount ?? undefined;
        const context = commandContext(request);
        return answerOne(200, await captureTransaction(dependencies, context, request.params.id, { amount }));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/orchestration/transactions/:id/void',
      summary: 'Void a transaction',
      tags,
      permission: 'token:use',
      audits: { entity, operation: 'void' },
      responses: { 200: Transaction },
      handle: async (request) =>
        answerOne(200, await voidTransaction(dependencies, commandContext(request), request.params.id)),
    }),
  ];
}

/** What no transaction is called. */
const nobody = '00000000-0000-0000-0000-000000000000';
