import { textAt } from '#infra/providers/http/json.ts';
import type { HttpProviderSettings } from '#infra/providers/http/settings.ts';
import { cardForm, intentForm, keyName } from '#infra/providers/stripe/authorization.ts';
import { findAtStripe, intentPath } from '#infra/providers/stripe/find.ts';
import { readStripeNotification } from '#infra/providers/stripe/notification.ts';
import {
  authorizationOutcome,
  captureOutcome,
  readReply,
  refundOutcome,
  voidOutcome,
} from '#infra/providers/stripe/outcomes.ts';
import { createStripeHttp } from '#infra/providers/stripe/stripeHttp.ts';
import type { Reply, StripeHttp } from '#infra/providers/stripe/stripeHttp.ts';
import type { ProviderOutcome } from '#ports/paymentOutcome.ts';
import type {
  AuthorizeCall,
  CredentialsCheck,
  PaymentProvider,
  ProviderConnection,
  RefundCall,
} from '#ports/paymentProvider.ts';

/** Stripe's PaymentIntents over its public HTTP API. */
export function createStripeProvider(settings: HttpProviderSettings): PaymentProvider {
  const http = createStripeHttp(settings);
  const expanded = { expand: ['latest_charge'] };
  return {
    checkCredentials: (connection) => checkCredentials(http, connection),
    authorize: (call) => authorize(http, call),
    completeApproval: async ({ connection, payment }) =>
      outcomeOf(
        await http.get(connection, intentPath(payment.transactionId), expanded),
        authorizationOutcome,
      ),
    capture: async ({ connection, payment, amount, idempotencyKey }) => {
      const path = `${intentPath(payment.transactionId)}/capture`;
      const form = { amount_to_capture: amount, ...expanded };
      return outcomeOf(await http.post(connection, path, form, idempotencyKey), captureOutcome);
    },
    void: async ({ connection, payment, idempotencyKey }) => {
      const path = `${intentPath(payment.transactionId)}/cancel`;
      return outcomeOf(await http.post(connection, path, expanded, idempotencyKey), voidOutcome);
    },
    refund: async (call) =>
      outcomeOf(
        await http.post(call.connection, '/v1/refunds', refundForm(call), call.idempotencyKey),
        refundOutcome,
      ),
    find: (question) => findAtStripe(http, question, settings.clock.now()),
    readNotification: readStripeNotification,
  };
}

/** Reading intents is what the reconciler needs too; of keys that may not even do that no use is made. */
async function checkCredentials(http: StripeHttp, connection: ProviderConnection): Promise<CredentialsCheck> {
  const reply = readReply(await http.get(connection, '/v1/payment_intents', { limit: 1 }));
  switch (reply.status) {
    case 'read':
      return { status: 'valid' };
    case 'unauthorized':
      return reply;
    case 'not_done':
      // A key that cannot stand in a header is none.
      return reply.reason === 'refused'
        ? { status: 'unauthorized', errorCode: 'invalid_service_credentials' }
        : { ...reply, status: 'undecided' };
    default:
      return { status: 'undecided' };
  }
}

/** Two calls: the card becomes a PaymentMethod, which moves no money; then the intent is made and confirmed. */
async function authorize(http: StripeHttp, call: AuthorizeCall): Promise<ProviderOutcome> {
  const { connection, card, idempotencyKey } = call;
  // A repetition may come when the code is gone: under the same key it would be another call.
  const cardKey = `${idempotencyKey}-${card.cvc === undefined ? 'card' : 'card-cvc'}`;
  const method = readReply(await http.post(connection, '/v1/payment_methods', cardForm(card), cardKey));
  // Another card under this key may have been charged already; all else that is unknown of a card is harmless.
  if (method.status === 'unknown' && method.reason !== 'conflict') {
    return { status: 'not_done', reason: 'unreachable' };
  }
  if (method.status !== 'read') return method;
  const id = textAt(method.json, 'id');
  if (id === undefined) return { status: 'not_done', reason: 'unreachable' };
  const reply = await http.post(connection, '/v1/payment_intents', intentForm(call, id), idempotencyKey);
  return outcomeOf(reply, authorizationOutcome);
}

const refundForm = ({ payment, amount, reason, idempotencyKey }: RefundCall) => ({
  payment_intent: payment.transactionId,
  amount,
  metadata: { reason, reconciliation_id: payment.reconciliationId, [keyName]: idempotencyKey },
});

function outcomeOf(reply: Reply, read: (object: unknown) => ProviderOutcome | undefined): ProviderOutcome {
  const answer = readReply(reply);
  if (answer.status !== 'read') return answer;
  return read(answer.json) ?? { status: 'unknown', reason: 'invalid_answer' };
}
