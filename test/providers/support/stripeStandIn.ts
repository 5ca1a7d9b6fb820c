import { Ledger, startStandIn } from '#test/providers/support/standIn.ts';
import type { Asked, Said, StandIn } from '#test/providers/support/standIn.ts';

export const stripeKey = 'sk_test_51HoldfastStandIn';

/** Cards of Stripe's own test mode. Source: https://docs.stripe.com/testing. */
export const stripeCards = {
  declined: '4000000000009995',
  needsApproval: '4000002760003184',
};

/** Parameters that the published description knows, by path. Source: stripe/openapi, spec3. */
const known: readonly (readonly [RegExp, readonly RegExp[]])[] = [
  [
    /^POST \/v1\/payment_methods$/,
    [/^type$/, /^card\[(number|exp_month|exp_year|cvc)\]$/, /^billing_details\[name\]$/],
  ],
  [
    /^POST \/v1\/payment_intents$/,
    [
      /^(amount|currency|payment_method|confirm|capture_method|off_session|return_url|error_on_requires_action)$/,
      /^payment_method_types\[\d+\]$/,
      /^metadata\[[^\]]{1,40}\]$/,
      /^expand\[\d+\]$/,
      /^payment_method_options\[card\]\[three_d_secure\]\[(version|cryptogram|transaction_id|electronic_commerce_indicator|ares_trans_status)\]$/,
      /^payment_method_options\[card\]\[mit_exemption\]\[network_transaction_id\]$/,
    ],
  ],
  [/^POST \/v1\/payment_intents\/\w+\/capture$/, [/^amount_to_capture$/, /^expand\[\d+\]$/]],
  [/^POST \/v1\/payment_intents\/\w+\/cancel$/, [/^expand\[\d+\]$/]],
  [/^POST \/v1\/refunds$/, [/^(payment_intent|amount)$/, /^metadata\[\w+\]$/]],
  [/^GET \/v1\/payment_intents\/search$/, [/^query$/]],
  [/^GET \/v1\/payment_intents\/\w+$/, [/^expand\[\d+\]$/]],
  [
    /^GET \/v1\/payment_intents$/,
    [/^limit$/, /^starting_after$/, /^created\[(gte|lte)\]$/, /^expand\[\d+\]$/],
  ],
  [/^GET \/v1\/refunds$/, [/^(payment_intent|limit|starting_after)$/]],
];

type Intent = Record<string, unknown> & { id: string; amount: number; status: string };
export type StripeStandIn = StandIn & {
  ledger: Ledger;
  intents: Map<string, Intent>;
  approve(id: string): void;
};

export async function startStripeStandIn(): Promise<StripeStandIn> {
  const ledger = new Ledger();
  const numbers = new Map<string, string>();
  const intents = new Map<string, Intent>();
  const refunds: Record<string, unknown>[] = [];

  const charged = (intent: Intent, captured: boolean): void => {
    intent.status = captured ? 'succeeded' : 'requires_capture';
    intent['amount_received'] = captured ? intent.amount : 0;
    intent['next_action'] = null;
    intent['latest_charge'] = {
      id: `ch_${intent.id}`,
      object: 'charge',
      created: intent['created'],
      outcome: { network_status: 'approved_by_network' },
      payment_method_details: {
        card: {
          brand: 'visa',
          funding: 'credit',
          country: 'US',
          network_transaction_id: '104104178525432',
          authorization_code: '123456',
          checks: { cvc_check: 'pass', address_line1_check: null, address_postal_code_check: null },
        },
      },
    };
  };

  const createIntent = (form: URLSearchParams): Said => {
    const id = `pi_${intents.size + 1}`;
    const number = numbers.get(form.get('payment_method') ?? '') ?? '';
    const metadata = Object.fromEntries(
      [...form].flatMap(([name, value]) => {
        const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
        return key === undefined ? [] : [[key, value]];
      }),
    );
    const intent: Intent = {
      id,
      object: 'payment_intent',
      amount: Number(form.get('amount')),
      status: 'processing',
      created: Math.floor(Date.now() / 1000),
      capture_method: form.get('capture_method'),
      metadata,
    };
    intents.set(id, intent);
    if (number === stripeCards.declined) {
      intent.status = 'requires_payment_method';
      const error = {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: `Your card ${number} has insufficient funds.`,
      };
      intent['last_payment_error'] = error;
      return { status: 402, json: { error: { ...error, payment_intent: intent } } };
    }
    if (number === stripeCards.needsApproval) {
      if (form.get('error_on_requires_action') === 'true') {
        const error = {
          type: 'card_error',
          code: 'authentication_required',
          decline_code: 'authentication_required',
        };
        return { status: 402, json: { error } };
      }
      intent.status = 'requires_action';
      intent['next_action'] = {
        type: 'redirect_to_url',
        redirect_to_url: { url: `https://hooks.stripe.com/3ds/${id}` },
      };
      return { status: 200, json: intent };
    }
    charged(intent, form.get('capture_method') === 'automatic');
    return { status: 200, json: intent };
  };

  const step = (path: string, form: URLSearchParams): Said => {
    if (path === '/v1/payment_methods') {
      const id = `pm_${numbers.size + 1}`;
      numbers.set(id, form.get('card[number]') ?? '');
      return { status: 200, json: { id, object: 'payment_method' } };
    }
    if (path === '/v1/payment_intents') return createIntent(form);
    if (path === '/v1/refunds') {
      const refund = {
        id: `re_${refunds.length + 1}`,
        object: 'refund',
        status: 'succeeded',
        amount: Number(form.get('amount')),
        payment_intent: form.get('payment_intent'),
        metadata: { holdfast_key: form.get('metadata[holdfast_key]') },
      };
      refunds.push(refund);
      return { status: 200, json: refund };
    }
    const [, id = '', action] = /^\/v1\/payment_intents\/(\w+)\/(capture|cancel)$/.exec(path) ?? [];
    const intent = intents.get(id);
    if (intent === undefined) return fault(404, 'resource_missing');
    if (intent.status !== 'requires_capture') return fault(400, 'payment_intent_unexpected_state');
    if (action === 'capture') {
      charged(intent, true);
      intent['amount_received'] = Number(form.get('amount_to_capture') ?? intent.amount);
    } else {
      Object.assign(intent, { status: 'canceled', canceled_at: Math.floor(Date.now() / 1000) });
    }
    return { status: 200, json: structuredClone(intent) };
  };

  const read = ({ path, query }: Asked): Said => {
    const id = /^\/v1\/payment_intents\/(\w+)$/.exec(path)?.[1];
    if (id !== undefined) {
      const intent = intents.get(id);
      return intent === undefined ? fault(404, 'resource_missing') : { status: 200, json: intent };
    }
    const data =
      path === '/v1/refunds'
        ? refunds.filter((each) => each['payment_intent'] === query.get('payment_intent'))
        : [...intents.values()];
    return { status: 200, json: { object: 'list', data, has_more: false } };
  };

  const standIn = await startStandIn((asked, complain) => {
    const { method, path, headers, body } = asked;
    if (headers.authorization !== `Bearer ${stripeKey}`) return fault(401, 'api_key_invalid');
    if (headers['stripe-version'] !== '2024-06-20') complain('no pinned version');
    const form = new URLSearchParams(body);
    const names = known.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];
    if (names === undefined) complain('no such path');
    for (const name of [...form.keys(), ...asked.query.keys()]) {
      if (names?.some((pattern) => pattern.test(name)) !== true) complain(`unknown parameter ${name}`);
    }
    if (method === 'GET') return read(asked);
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') complain('not a form');
    const key = headers['idempotency-key'];
    if (typeof key !== 'string' || key.length > 255) return fault(400, 'missing_key');
    const conflict: Said = {
      status: 400,
      json: { error: { type: 'idempotency_error', message: 'Keys for idempotent requests' } },
    };
    return ledger.once(
      key,
      `${path}?${body}`,
      conflict,
      path.replace(/\w*\d+/g, (part) => (part === 'v1' ? part : ':id')),
      () => {
        const said = step(path, form);
        return structuredClone(said);
      },
    );
  });
  return {
    ...standIn,
    ledger,
    intents,
    approve: (id) => {
      const intent = intents.get(id);
      if (intent !== undefined) charged(intent, intent['capture_method'] === 'automatic');
    },
  };
}

const fault = (status: number, code: string): Said => ({
  status,
  json: { error: { type: 'invalid_request_error', code, message: `It went wrong with ${stripeKey}` } },
});
