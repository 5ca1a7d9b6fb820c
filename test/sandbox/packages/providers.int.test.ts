import type { IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Outbound, OutboundRequest } from '#ports/outbound.ts';
import { reachingLoopback } from '#test/outbound/support/guard.ts';
import { serveTls } from '#test/outbound/support/servers.ts';
import type { Seen, TestServer } from '#test/outbound/support/servers.ts';
import { startSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';
import type { TestSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';

const test = suite<{ sandbox: TestSandbox; provider: TestServer }>('packages: clients of providers');

const json = 'application/json';
const wsdl = `<definitions name="Rates" targetNamespace="urn:rates" xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:tns="urn:rates"
  xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <message name="Ask"><part name="currency" type="xsd:string"/></message><message name="Told"><part name="rate" type="xsd:double"/></message>
  <portType name="RatesPort"><operation name="GetRate"><input message="tns:Ask"/><output message="tns:Told"/></operation></portType>
  <binding name="RatesBinding" type="tns:RatesPort"><soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="GetRate"><soap:operation soapAction="urn:rates#GetRate"/><input><soap:body use="literal" namespace="urn:rates"/></input>
      <output><soap:body use="literal" namespace="urn:rates"/></output></operation></binding>
  <service name="Rates"><port name="RatesPort" binding="tns:RatesBinding"><soap:address location="https://rates.example/soap"/></port></service></definitions>`;

/** What each provider answers, by its host, the method and the path. */
const answers: Record<string, [status: number, type: string, body: string]> = {
  'api.stripe.com POST /v1/payment_intents': [
    200,
    json,
    '{"id":"pi_1","object":"payment_intent","status":"succeeded"}',
  ],
  'api.stripe.com POST /v1/charges': [
    402,
    json,
    '{"error":{"type":"card_error","code":"card_declined","message":"Your card was declined."}}',
  ],
  'checkout-test.adyen.com POST /checkout/v68/payments': [
    200,
    json,
    '{"pspReference":"8535","resultCode":"Authorised"}',
  ],
  'api.sandbox.braintreegateway.com POST /merchants/shop/transactions': [
    201,
    'application/xml',
    '<?xml version="1.0"?><transaction><id>bt1</id><status>authorized</status><amount>10.00</amount></transaction>',
  ],
  'content.dropboxapi.com POST /2/files/upload': [200, json, '{"name":"cards.csv","size":4}'],
  'api-sandbox.dwolla.com POST /token': [200, json, '{"access_token":"granted","expires_in":3600}'],
  'api-sandbox.dwolla.com GET /accounts/1': [
    200,
    'application/vnd.dwolla.v1.hal+json',
    '{"id":"1","name":"Jane"}',
  ],
  'api.twilio.com POST /2010-04-01/Accounts/AC1/Messages.json': [
    201,
    json,
    '{"sid":"SM1","status":"queued"}',
  ],
  'rates.example GET /soap': [200, 'text/xml', wsdl],
  'rates.example POST /soap': [
    200,
    'text/xml',
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><t:GetRateResponse xmlns:t="urn:rates"><rate>1.25</rate></t:GetRateResponse></s:Body></s:Envelope>',
  ],
  's3.eu-central-1.amazonaws.com GET /files': [
    200,
    'application/xml',
    '<ListBucketResult><Name>files</Name><Contents><Key>a.csv</Key><Size>12</Size></Contents></ListBucketResult>',
  ],
  'secretsmanager.eu-central-1.amazonaws.com POST /': [
    200,
    'application/x-amz-json-1.1',
    '{"SecretString":"hidden"}',
  ],
  'vault.example POST /tokens/': [201, json, '{"id":"t1","type":"token","tenant_id":"1"}'],
};

/** Every name leads to the one server, which is told which one it was. All else is as the service's own. */
function leadingTo(port: () => number): Outbound {
  const guarded = reachingLoopback();
  const led = (request: OutboundRequest): OutboundRequest => {
    const { protocol, host, pathname, search } = new URL(request.url);
    assert.is(protocol, 'https:');
    return {
      ...request,
      url: `https://shop.example:${port()}${pathname}${search}`,
      headers: [...(request.headers as [string, string][]), ['x-called', host]],
    };
  };
  return { ...guarded, stream: (request) => guarded.stream(led(request)) };
}

const keyOf = ({ method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): string =>
  `${headers['x-called']} ${method} ${url?.split('?')[0]}`;

test.before(async (context) => {
  context.provider = await serveTls((request, response) => {
    const [status, type, body] = answers[keyOf(request)] ?? [404, json, '{}'];
    response.writeHead(status, { 'Content-Type': type });
    response.end(body);
  });
  context.sandbox = startSandbox({
    outbound: leadingTo(() => context.provider.port),
    milliseconds: 60_000,
  });
});
test.after(async ({ sandbox, provider }) => {
  await sandbox.close();
  await provider.close();
});

/** Runs code that may wait; and what the providers saw of it. */
async function called(
  { sandbox, provider }: { sandbox: TestSandbox; provider: TestServer },
  body: string,
): Promise<{ raw: unknown; seen: Seen[] }> {
  provider.seen.length = 0;
  const raw = await sandbox.rawOf(
    `module.exports = async () => ({ raw: await (async () => { ${body} })() });`,
  );
  return { raw, seen: [...provider.seen] };
}

test('given stripe, when a payment is made, then Stripe gets a form with the key, and its answers and refusals are told', async (context) => {
  const { raw, seen } = await called(
    context,
    `
    const stripe = require('stripe')('sk_test_1');
    const paid = await stripe.paymentIntents.create({ amount: 2000, currency: 'eur', metadata: { order: '1' } }, { idempotencyKey: 'once' });
    const declined = await stripe.charges.create({ amount: 1, currency: 'eur' }).catch((error) => [error.type, error.code]);
    const payload = '{"type":"charge.succeeded"}';
    const header = stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec' });
    return [paid.status, declined, stripe.webhooks.constructEvent(payload, header, 'whsec').type]`,
  );
  assert.equal(raw, ['succeeded', ['StripeCardError', 'card_declined'], 'charge.succeeded']);
  assert.is(seen[0]?.body, 'amount=2000&currency=eur&metadata[order]=1');
  assert.is(seen[0]?.headers.authorization, 'Bearer sk_test_1');
  assert.is(seen[0]?.headers['idempotency-key'], 'once');
});

test('given @adyen/api-library, when a payment is made, then Adyen gets it, and notifications are verified', async (context) => {
  const { raw, seen } = await called(
    context,
    `
    const { Client, CheckoutAPI, hmacValidator } = require('@adyen/api-library');
    const checkout = new CheckoutAPI(new Client({ apiKey: 'key', environment: 'TEST' }));
    const { resultCode } = await checkout.payments({ amount: { currency: 'EUR', value: 1000 }, merchantAccount: 'Shop', reference: '1', returnUrl: 'https://shop.example', paymentMethod: { type: 'scheme', number: '4111111111111111' } });
    const item = { amount: { currency: 'EUR', value: 1000 }, eventCode: 'AUTHORISATION', merchantAccountCode: 'Shop', merchantReference: '1', pspReference: '2', success: 'true' };
    const key = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
    const validator = new hmacValidator();
    item.additionalData = { hmacSignature: validator.calculateHmac(item, key) };
    return [resultCode, validator.validateHMAC(item, key)]`,
  );
  assert.equal(raw, ['Authorised', true]);
  assert.is(seen[0]?.headers['x-api-key'], 'key');
  assert.is((JSON.parse(seen[0]?.body ?? '') as { merchantAccount: string }).merchantAccount, 'Shop');
});

test('given braintree, when a sale is made, then it is sent, and the answer in XML is read', async (context) => {
  const { raw, seen } = await called(
    context,
    `
    const braintree = require('braintree');
    const gateway = new braintree.BraintreeGateway({ environment: braintree.Environment.Sandbox, merchantId: 'shop', publicKey: 'public', privateKey: 'private' });
    const { success, transaction } = await gateway.transaction.sale({ amount: '10.00', paymentMethodNonce: 'nonce' });
    return [success, transaction.id, transaction.status]`,
  );
  assert.equal(raw, [true, 'bt1', 'authorized']);
  assert.match(seen[0]?.body ?? '', /"payment_method_nonce":"nonce"/);
});

test('given dropbox, when a file is uploaded, then its bytes arrive', async (context) => {
  const { raw, seen } = await called(
    context,
    `
    const { Dropbox } = require('dropbox');
    const { result } = await new Dropbox({ accessToken: 'token' }).filesUpload({ path: '/cards.csv', contents: Buffer.from('4242') });
    return result.name`,
  );
  assert.is(raw, 'cards.csv');
  assert.is(seen[0]?.body, '4242');
  assert.is(seen[0]?.headers.authorization, 'Bearer token');
});

test('given dwolla-v2, when an account is read, then with a token that was asked for', async (context) => {
  const { raw, seen } = await called(
    context,
    `
    const { Client } = require('dwolla-v2');
    const client = new Client({ key: 'key', secret: 'secret', environment: 'sandbox' });
    return (await client.get('accounts/1')).body.name`,
  );
  assert.is(raw, 'Jane');
  assert.match(seen[0]?.body ?? '', /client_id=key&client_secret=secret/);
  assert.is(seen[1]?.headers.authorization, 'Bearer granted');
});

test('given twilio, when a message is sent, then Twilio gets a form, and requests of its own are verified', async (context) => {
  const { raw, seen } = await called(
    context,
    `
    const twilio = require('twilio');
    const { sid } = await twilio('AC1', 'token').messages.create({ to: '+491', from: '+492', body: 'Your code' });
    const response = new twilio.twiml.VoiceResponse();
    response.say('Hello');
    return [sid, response.toString(), twilio.validateRequest('token', 'wrong', 'https://shop.example', {})]`,
  );
  assert.equal(raw, [
    'SM1',
    '<?xml version="1.0" encoding="UTF-8"?><Response><Say>Hello</Say></Response>',
    false,
  ]);
  assert.is(new URLSearchParams(seen[0]?.body).get('Body'), 'Your code');
});

test('given soap, when an operation of a described service is called, then its envelope is sent and read', async (context) => {
  const { raw, seen } = await called(
    context,
    `
    const soap = require('soap');
    const client = await soap.createClientAsync('https://rates.example/soap?wsdl');
    const [result] = await client.GetRateAsync({ currency: 'EUR' });
    return result`,
  );
  assert.equal(raw, { rate: 1.25 });
  assert.match(seen[1]?.body ?? '', /<currency[^>]*>EUR<\/currency>/);
  assert.is(seen[1]?.headers.soapaction, '"urn:rates#GetRate"');
});

test('given aws-sdk, when services are called by one client and by all, then requests are signed and answers are read', async (context) => {
  const { raw, seen } = await called(
    context,
    `
    const options = { region: 'eu-central-1', accessKeyId: 'AKIA1', secretAccessKey: 'secret', s3ForcePathStyle: true };
    const S3 = require('aws-sdk/clients/s3');
    const { Contents } = await new S3(options).listObjectsV2({ Bucket: 'files' }).promise();
    const AWS = require('aws-sdk');
    const { SecretString } = await new AWS.SecretsManager(options).getSecretValue({ SecretId: 'a' }).promise();
    return [Contents[0].Key, SecretString]`,
  );
  assert.equal(raw, ['a.csv', 'hidden']);
  assert.ok(
    seen.every(({ headers }) => /^AWS4-HMAC-SHA256 Credential=AKIA1\//.test(headers.authorization ?? '')),
  );
});

test('given basis-theory-js, when a token is made with a key of its own, then the service is called with it', async (context) => {
  const { raw, seen } = await called(
    context,
    `
    const { BasisTheory } = require('@basis-theory/basis-theory-js');
    const bt = await new BasisTheory().init('key_1', { apiBaseUrl: 'https://vault.example' });
    const token = await bt.tokens.create({ type: 'token', data: { cardNumber: '4242' } });
    return [token.id, token.tenantId]`,
  );
  assert.equal(raw, ['t1', '1']);
  assert.is(seen[0]?.headers['bt-api-key'], 'key_1');
  assert.equal(JSON.parse(seen[0]?.body ?? ''), { type: 'token', data: { cardNumber: '4242' } });
});

test.run();
