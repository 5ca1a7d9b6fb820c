import { createHmac } from 'node:crypto';
import { Ledger, startStandIn } from '#test/providers/support/standIn.ts';
import type { Said, StandIn } from '#test/providers/support/standIn.ts';

export const adyenKey = 'AQEholdfast.stand-in';
export const merchantAccount = 'HoldfastECOM';
/** In hexadecimal, as the Customer Area shows it. */
export const hmacKey = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';

/** As {@link adyenHolders}, by the number of the card; `nameless` tells no id before the buyer is back. */
export const adyenCards = {
  declined: '4000020000000000',
  needsApproval: '4212345678901237',
  nameless: '4917610000000000',
};
export const adyenHolders = { declined: 'DECLINED', needsApproval: 'APPROVE' };

const holders = new Map([
  [adyenCards.declined, adyenHolders.declined],
  [adyenCards.needsApproval, adyenHolders.needsApproval],
  [adyenCards.nameless, adyenHolders.needsApproval],
]);

/** Members of the bodies that the published description knows. Source: Adyen/adyen-openapi, CheckoutService v71. */
const known: Readonly<Record<string, readonly string[]>> = {
  payments: [
    ...['merchantAccount', 'reference', 'merchantOrderReference', 'amount', 'countryCode', 'paymentMethod'],
    ...[
      'shopperInteraction',
      'recurringProcessingModel',
      'returnUrl',
      'channel',
      'authenticationData',
      'mpiData',
    ],
    ...['captureDelayHours', 'additionalData', 'metadata'],
  ],
  details: ['details'],
  paymentMethods: ['merchantAccount'],
  captures: ['merchantAccount', 'reference', 'amount'],
  cancels: ['merchantAccount', 'reference', 'paymentReference'],
  refunds: ['merchantAccount', 'reference', 'amount'],
};
const paymentMethodMembers = [
  'type',
  'number',
  'expiryMonth',
  'expiryYear',
  'cvc',
  'holderName',
  'networkPaymentReference',
];

type Body = Record<string, unknown> & {
  paymentMethod?: Record<string, string>;
  amount?: { value: number };
  authenticationData?: { attemptAuthentication: string };
};
export type AdyenStandIn = StandIn & { ledger: Ledger };

export async function startAdyenStandIn(): Promise<AdyenStandIn> {
  const ledger = new Ledger();
  let references = 0;
  const reference = (): string => `PSP${(++references).toString().padStart(13, '0')}`;

  const pay = (body: Body): Said => {
    const pspReference = reference();
    const number = body.paymentMethod?.['number'];
    const holder = holders.get(number ?? '') ?? body.paymentMethod?.['holderName'];
    if (holder === adyenHolders.declined) {
      const refusal = { resultCode: 'Refused', refusalReason: 'Not enough balance', refusalReasonCode: '12' };
      return {
        status: 200,
        json: { pspReference, ...refusal, additionalData: { refusalReasonRaw: '51 : Insufficient funds' } },
      };
    }
    if (holder === adyenHolders.needsApproval && body.authenticationData?.attemptAuthentication === 'never') {
      const refusal = {
        resultCode: 'Refused',
        refusalReason: 'Authentication required',
        refusalReasonCode: '38',
      };
      return { status: 200, json: { pspReference, ...refusal } };
    }
    if (holder === adyenHolders.needsApproval) {
      const action = {
        type: 'redirect',
        method: 'GET',
        url: `https://checkoutshopper-test.adyen.com/3ds/${pspReference}`,
      };
      const named = number === adyenCards.nameless ? {} : { pspReference };
      return { status: 200, json: { resultCode: 'RedirectShopper', ...named, action } };
    }
    return { status: 200, json: authorised(pspReference, body) };
  };

  const act = (kind: string, path: string, body: Body): Said => {
    if (kind === 'paymentMethods') return { status: 200, json: { paymentMethods: [] } };
    if (kind === 'payments') return pay(body);
    if (kind === 'details') {
      const result = (body['details'] as { redirectResult: string }).redirectResult;
      return result === 'approved'
        ? { status: 200, json: authorised(reference(), {}) }
        : {
            status: 200,
            json: {
              pspReference: reference(),
              resultCode: 'Refused',
              refusalReason: '3D Not Authenticated',
              refusalReasonCode: '11',
            },
          };
    }
    const paymentPspReference = path.split('/')[3];
    return {
      status: 201,
      json: { ...body, paymentPspReference, pspReference: reference(), status: 'received' },
    };
  };

  const standIn = await startStandIn(({ method, path, headers, body: text }, complain) => {
    if (headers['x-api-key'] !== adyenKey) return fault(401, '000');
    const kind =
      /^\/v71\/(?:payments\/\w+\/)?(payments|details|paymentMethods|captures|cancels|refunds)$/.exec(
        path.replace('/payments/details', '/details'),
      )?.[1];
    if (method !== 'POST' || kind === undefined) {
      complain('no such path');
      return fault(404, '000');
    }
    if (headers['content-type'] !== 'application/json') complain('not JSON');
    const body = JSON.parse(text) as Body;
    for (const name of Object.keys(body)) {
      if (known[kind]?.includes(name) !== true) complain(`unknown member ${name}`);
    }
    for (const name of Object.keys(body.paymentMethod ?? {})) {
      if (!paymentMethodMembers.includes(name)) complain(`unknown member paymentMethod.${name}`);
    }
    if (kind !== 'details' && body['merchantAccount'] !== merchantAccount) return fault(403, '901');
    if (kind === 'payments') {
      for (const name of ['reference', 'amount', 'paymentMethod', 'returnUrl']) {
        if (!(name in body)) complain(`required member ${name} is missing`);
      }
    }
    const key = headers['idempotency-key'];
    if (kind === 'paymentMethods') return act(kind, path, body);
    if (typeof key !== 'string' || key.length > 64) return fault(400, '702');
    return ledger.once(key, text, fault(422, '704'), kind, () => act(kind, path, body));
  });
  return { ...standIn, ledger };
}

function authorised(pspReference: string, body: Body): object {
  return {
    pspReference,
    resultCode: 'Authorised',
    amount: body.amount,
    paymentMethod: { type: 'scheme', brand: 'visa' },
    additionalData: {
      cvcResult: '1 Matches',
      avsResult: '5 No AVS data provided',
      authCode: '065696',
      networkTxReference: '104104178525432',
      fundingSource: 'CREDIT',
      issuerCountry: 'US',
      refusalReasonRaw: '00 : Approved or completed successfully',
    },
  };
}

const fault = (status: number, errorCode: string): Said => ({
  status,
  json: { status, errorCode, message: `Something is wrong with ${adyenKey}`, errorType: 'validation' },
});

/** A delivery as Adyen signs it. Source: its documentation of HMAC signatures. */
export function notificationOf(item: Record<string, unknown>): Buffer {
  const amount = item['amount'] as { value: number; currency: string };
  const signed = [
    ...[item['pspReference'], item['originalReference'] ?? '', item['merchantAccountCode']],
    ...[item['merchantReference'], amount.value, amount.currency, item['eventCode'], item['success']],
  ].join(':');
  const hmacSignature = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signed).digest('base64');
  const NotificationRequestItem = { ...item, additionalData: { hmacSignature } };
  return Buffer.from(JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem }] }));
}
