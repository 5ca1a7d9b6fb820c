import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  act,
  givenCard,
  givenConnection,
  historyOf,
  pay,
  read,
} from '#test/orchestration/support/payments.ts';
import type { Transaction } from '#test/orchestration/support/payments.ts';
import { startStripeStandIn, stripeCards, stripeKey } from '#test/providers/support/stripeStandIn.ts';
import type { StripeStandIn } from '#test/providers/support/stripeStandIn.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; stripe: StripeStandIn; connection: string };

const notifications = suite<Context>('notifications of providers');
const secret = 'whsec_of_the_connection';

const stripeFields = (signing: string) => ({
  connection_formula_id: 'stripe',
  fields: [
    { key: 'private_key', value: stripeKey },
    { key: 'webhook_signing_secret', value: signing },
  ],
});

notifications.before(async (context) => {
  context.stripe = await startStripeStandIn();
  const { outbound, baseUrl } = context.stripe;
  context.service = await startVaultService({ outbound, environment: { HOLDFAST_STRIPE_URL: baseUrl } });
  context.connection = await givenConnection(context.service, stripeFields(secret));
});
notifications.after(async ({ service, stripe }) => {
  await service.close();
  await stripe.close();
});

type Delivery = { key?: string; at?: number; connection?: string };

/** What Stripe sends of an intent as it is now. */
async function deliver(
  { service: { url, tenantId }, stripe, ...context }: Context,
  type: string,
  intentId: string,
  { key = secret, at = Date.now(), connection = context.connection }: Delivery = {},
): Promise<{ status: number; text: string }> {
  const object = stripe.intents.get(intentId);
  const body = JSON.stringify({ id: `evt_${intentId}`, type, data: { object } });
  const timestamp = Math.floor(at / 1000);
  const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  const response = await fetch(`${url}/orchestration/notifications/${tenantId}/${connection}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Stripe-Signature': `t=${timestamp},v1=${signature}`,
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

async function waiting({ service, connection }: Context): Promise<Transaction & { provider: string }> {
  const token = await givenCard(service, { number: stripeCards.needsApproval });
  const made = await pay(service, { connection_id: connection, token });
  assert.is(made.status, 'buyer_approval_pending', JSON.stringify(made));
  const { pathname } = new URL(made.payment_method.approval_url ?? '');
  const link = await fetch(`${service.url}${pathname}`, { redirect: 'manual' });
  assert.is(link.status, 303);
  assert.match(link.headers.get('location') ?? '', /^https:\/\/hooks\.stripe\.com/);
  return { ...made, provider: made.connection_transaction_id ?? '' };
}

notifications(
  'given a payment that waits for its buyer, when the provider says that he approved, then it has succeeded, once',
  async (context) => {
    const { service, stripe } = context;
    const { id, provider } = await waiting(context);
    stripe.approve(provider);
    const delivered = await deliver(context, 'payment_intent.amount_capturable_updated', provider);
    assert.equal(delivered, { status: 200, text: '{"received":true}' });
    const after = await read(service, id);
    assert.equal([after.status, after.authorized_amount], ['authorization_succeeded', 1050]);
    const history = await historyOf(service, id);
    await deliver(context, 'payment_intent.amount_capturable_updated', provider);
    assert.equal(await historyOf(service, id), history);
    assert.is((await act(service, id, 'capture')).body.status, 'capture_succeeded');
    assert.equal(stripe.complaints, []);
  },
);

notifications(
  'given a payment that waits for its buyer, when he comes back by the URL of the provider, then it has succeeded',
  async (context) => {
    const { service, stripe } = context;
    const { id, provider } = await waiting(context);
    const form = new URLSearchParams(
      stripe.asked.findLast(({ path }) => path === '/v1/payment_intents')?.body,
    );
    const back = new URL(form.get('return_url') ?? '');
    // He has not approved yet, whatever the URL says.
    await fetch(`${service.url}${back.pathname}?payment_intent=${provider}&redirect_status=succeeded`);
    assert.is((await read(service, id)).status, 'buyer_approval_pending');
    stripe.approve(provider);
    const page = await fetch(`${service.url}${back.pathname}?payment_intent=${provider}`);
    assert.match(await page.text(), /was approved/);
    assert.is((await read(service, id)).status, 'authorization_succeeded');
  },
);

notifications(
  'given notifications that the provider did not send, when they come, then they are refused and change nothing',
  async (context) => {
    const { service, stripe } = context;
    const { id, provider } = await waiting(context);
    stripe.approve(provider);
    const type = 'payment_intent.amount_capturable_updated';
    assert.is((await deliver(context, type, provider, { key: 'whsec_guessed' })).status, 401);
    assert.is((await deliver(context, type, provider, { at: Date.now() - 600_000 })).status, 401);
    // One connection must not speak for another.
    const other = await givenConnection(service, stripeFields('whsec_of_another'));
    const foreign = { connection: other, key: 'whsec_of_another' };
    assert.is((await deliver(context, type, provider, foreign)).status, 200);
    const sandbox = await givenConnection(service);
    assert.is((await deliver(context, type, provider, { connection: sandbox })).status, 401);
    assert.is((await deliver(context, type, provider, { connection: 'nonsense' })).status, 404);
    const stranger = await fetch(`${service.url}/orchestration/notifications/nobody/${context.connection}`, {
      method: 'POST',
    });
    assert.is(stranger.status, 404);
    assert.is((await read(service, id)).status, 'buyer_approval_pending');
  },
);

notifications(
  'given a card that Stripe declines, when it is paid, then the transaction is declined',
  async (context) => {
    const { service, connection } = context;
    const token = await givenCard(service, { number: stripeCards.declined });
    const { status, error_code } = await pay(service, { connection_id: connection, token });
    assert.equal([status, error_code], ['authorization_declined', 'insufficient_funds']);
  },
);

notifications.run();
