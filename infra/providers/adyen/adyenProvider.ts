import { createAdyenHttp } from '#infra/providers/adyen/adyenHttp.ts';
import type { AdyenHttp, Reply } from '#infra/providers/adyen/adyenHttp.ts';
import { paymentBody } from '#infra/providers/adyen/authorization.ts';
import { readAdyenNotification } from '#infra/providers/adyen/notification.ts';
import { modificationOutcome, paymentOutcome, readReply } from '#infra/providers/adyen/outcomes.ts';
import type { HttpProviderSettings } from '#infra/providers/http/settings.ts';
import type { ProviderOutcome } from '#ports/paymentOutcome.ts';
import type {
  ApprovalCall,
  CaptureCall,
  CredentialsCheck,
  PaymentProvider,
  ProviderConnection,
  RefundCall,
  VoidCall,
} from '#ports/paymentProvider.ts';

/** For as long as Adyen keeps idempotency keys at least. */
const keysKeptMilliseconds = 7 * 24 * 3_600_000;

/** Adyen's Checkout API over HTTP. */
export function createAdyenProvider(settings: HttpProviderSettings): PaymentProvider {
  const http = createAdyenHttp(settings);
  return {
    checkCredentials: (connection) => checkCredentials(http, connection),
    authorize: async (call) => {
      const body = paymentBody(call, merchantAccountOf(call.connection));
      const reply = await http.post(call.connection, '/payments', body, call.idempotencyKey);
      return outcomeOf(reply, (payment) =>
        paymentOutcome(payment, { intent: call.intent, amount: call.money.amount }),
      );
    },
    completeApproval: (call) => completeApproval(http, call),
    capture: (call) => modify(http, call, 'captures', amountOf(call)),
    void: (call) =>
      call.payment.transactionId === '' ? cancelByReference(http, call) : modify(http, call, 'cancels', {}),
    refund: (call) => modify(http, call, 'refunds', amountOf(call)),
    // There is no way to look up a payment by its reference.
    find: () => Promise.resolve({ status: 'repeat', withinMilliseconds: keysKeptMilliseconds }),
    readNotification: readAdyenNotification,
  };
}

/** The methods of the account: what needs the key, its role and the account, and changes nothing. */
async function checkCredentials(http: AdyenHttp, connection: ProviderConnection): Promise<CredentialsCheck> {
  const body = { merchantAccount: merchantAccountOf(connection) };
  const reply = readReply(await http.post(connection, '/paymentMethods', body));
  switch (reply.status) {
    case 'read':
      return { status: 'valid' };
    case 'unauthorized':
      return reply;
    case 'declined':
      return { status: 'unauthorized', errorCode: 'invalid_service_credentials' };
    case 'not_done':
      // A key that cannot stand in a header is none.
      return reply.reason === 'refused'
        ? { status: 'unauthorized', errorCode: 'invalid_service_credentials' }
        : { ...reply, status: 'undecided' };
    case 'unknown':
      return { status: 'undecided' };
  }
}

async function completeApproval(http: AdyenHttp, call: ApprovalCall): Promise<ProviderOutcome> {
  const { redirectResult } = call.returned;
  // A buyer who came back by another way has decided nothing.
  if (redirectResult === undefined) return { status: 'not_done', reason: 'refused' };
  const reply = await http.post(
    call.connection,
    '/payments/details',
    { details: { redirectResult } },
    call.idempotencyKey,
  );
  return outcomeOf(reply, (payment) => paymentOutcome(payment, call));
}

async function modify(
  http: AdyenHttp,
  call: CaptureCall | VoidCall | RefundCall,
  kind: 'captures' | 'cancels' | 'refunds',
  more: object,
): Promise<ProviderOutcome> {
  const { transactionId } = call.payment;
  const reply = await http.post(
    call.connection,
    `/payments/${encodeURIComponent(transactionId)}/${kind}`,
    { merchantAccount: merchantAccountOf(call.connection), reference: call.idempotencyKey, ...more },
    call.idempotencyKey,
  );
  return outcomeOf(reply, (modification) => modificationOutcome(modification, transactionId));
}

/** A payment whose buyer was sent away has no id of its own until he is back. */
async function cancelByReference(http: AdyenHttp, call: VoidCall): Promise<ProviderOutcome> {
  const body = {
    merchantAccount: merchantAccountOf(call.connection),
    paymentReference: call.payment.reconciliationId,
    reference: call.idempotencyKey,
  };
  const reply = await http.post(call.connection, '/cancels', body, call.idempotencyKey);
  return outcomeOf(reply, (cancel) => modificationOutcome(cancel, undefined));
}

const merchantAccountOf = ({ fields }: ProviderConnection): string => fields['merchant_account'] ?? '';

const amountOf = ({ amount, payment }: CaptureCall | RefundCall): object => ({
  amount: { value: amount, currency: payment.currency },
});

function outcomeOf(reply: Reply, read: (object: unknown) => ProviderOutcome): ProviderOutcome {
  const answer = readReply(reply);
  return answer.status === 'read' ? read(answer.json) : answer;
}
