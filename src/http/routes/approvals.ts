import Type from 'typebox';
import { unreachable } from '#domain/event.ts';
import type { Transaction } from '#domain/transaction/state.ts';
import { escaped, page } from '#http/pages.ts';
import { defineRoute } from '#http/route.ts';
import type { Answer, Route } from '#http/route.ts';
import { invalid } from '#http/validation/faults.ts';
import { completeApproval } from '#src/orchestration/approval.ts';
import { approvalPath, followApproval, sandboxApprovalPath } from '#src/orchestration/approvalPage.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { returnPath } from '#src/orchestration/returnUrl.ts';

const open = {
  method: 'GET',
  authenticated: false,
  tags: [],
  documented: false,
  responses: {},
  rateScope: 'portal',
} as const;
const text = Type.Optional(Type.String({ maxLength: 10_000 }));

/** What providers add to the URL that a buyer comes back by. */
const returned = ['result', 'redirectResult', 'payload', 'payment_intent', 'redirect_status'] as const;

/** Pages for buyers, who have no key: where they set out from, approve in the sandbox, and come back to. */
export const approvalRoutes = (dependencies: PaymentDependencies): Route[] => [
  defineRoute({
    ...open,
    path: `${approvalPath}/:tenantId/:id/:proof`,
    summary: 'Where buyers set out from to approve a payment',
    handle: async ({ params: { tenantId, id, proof } }) => {
      const { transaction, page: address } = await followApproval(dependencies, { tenantId, id, proof });
      if (address === undefined || !/^https?:/.test(address)) return outcomePage(transaction);
      const headers = { Location: address, 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' };
      return { status: 303, headers };
    },
  }),
  defineRoute({
    ...open,
    path: sandboxApprovalPath,
    summary: 'Where buyers approve payments of the sandbox',
    query: Type.Object({ payment: text, return_url: Type.String({ maxLength: 2_000 }) }),
    handle: ({ query: { return_url: url } }) => {
      const { publicUrl } = dependencies;
      // It leads back to this service, and to nobody else.
      if (!url.startsWith(`${publicUrl}${returnPath}/`)) {
        throw invalid('return_url', 'must be one that the service made');
      }
      return Promise.resolve(
        page('Approve a payment', form(url), { formTarget: `'self' ${new URL(publicUrl).origin}` }),
      );
    },
  }),
  defineRoute({
    ...open,
    path: `${returnPath}/:tenantId/:id/:proof`,
    summary: 'Where buyers come back to',
    query: Type.Object(Object.fromEntries(returned.map((name) => [name, text]))),
    handle: async ({ params, query }) => {
      const given = Object.entries(query).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      const { tenantId = '', id = '', proof = '' } = params;
      const subject = { tenantId, id, proof };
      const transaction = await completeApproval(dependencies, subject, Object.fromEntries(given));
      return outcomePage(transaction);
    },
  }),
];

const outcomePage = ({ status }: Transaction): Answer => page('Your payment', `<p>${sentence(status)}</p>`);

const form = (url: string): string => `<p>This is the sandbox: no money moves.</p>
      <form method="get" action="${escaped(url)}">
        <button name="result" value="approved">Approve</button>
        <button name="result" value="declined">Decline</button>
        <button name="result" value="cancelled">Cancel</button>
      </form>`;

function sentence(status: Transaction['status']): string {
  switch (status) {
    case 'authorization_succeeded':
    case 'capture_succeeded':
      return 'Your payment was approved. You may close this page.';
    case 'capture_pending':
    case 'processing':
    case 'buyer_approval_pending':
    case 'authorization_void_pending':
      return 'Your payment is being processed. You may close this page.';
    case 'authorization_declined':
    case 'authorization_failed':
    case 'authorization_voided':
      return 'Your payment was not made. You may close this page.';
    default:
      return unreachable(status);
  }
}
