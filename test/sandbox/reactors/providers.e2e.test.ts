import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { react, startProvider, tokenOf } from '#test/sandbox/reactors/support.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import type { TestServer } from '#test/outbound/support/servers.ts';

const test = suite<{ service: VaultService; provider: TestServer; url: string }>(
  'reactors that call providers',
);

let attempts = 0;
test.before(async (context) => {
  context.provider = await startProvider((request, response) => {
    const answer = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    const path = request.url ?? '';
    if (path === '/v1/tokens') answer(200, { id: 'tok_1' });
    else if (path === '/v1/charges') answer(200, { id: 'ch_1', status: 'succeeded', amount: 2000 });
    else if (path === '/declined') {
      answer(402, { error: { code: 'card_declined', message: 'Your card was declined.' } });
    } else if (path === '/flaky') answer(++attempts % 3 === 0 ? 201 : 503, { attempts });
    else if (path === '/3ds/start') answer(302, '', { Location: '/3ds/challenge?session=1' });
    else if (path.startsWith('/3ds/challenge')) answer(303, '', { Location: '/3ds/result' });
    else if (path === '/3ds/result') answer(200, { eci: '05', cavv: 'AAAB' });
    else if (path === '/xml') {
      answer(
        200,
        '<?xml version="1.0"?><response code="00"><auth>A1</auth><amount currency="EUR">12.50</amount></response>',
        {
          'Content-Type': 'text/xml',
        },
      );
    } else answer(404, {});
  });
  context.service = await startVaultService({
    environment: { HOLDFAST_OUTBOUND_ALLOW: `localhost:${context.provider.port}` },
  });
  context.url = `https://localhost:${context.provider.port}`;
});
test.after(async ({ service, provider }) => {
  await service.close();
  await provider.close();
});

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2035, cvc: '123' };

const stripe = `
const fetch = require('node-fetch');
const { InvalidPaymentMethodError, ReactorRuntimeError } = require('@basis-theory/basis-theory-reactor-formulas-sdk-js');

module.exports = async function (req) {
  const { card, amount, path } = req.args;
  const { STRIPE_SECRET_KEY, STRIPE_URL } = req.configuration;
  const headers = {
    Authorization: 'Bearer ' + STRIPE_SECRET_KEY,
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  const params = new URLSearchParams();
  params.append('card[number]', card.number);
  params.append('card[exp_month]', card.expiration_month);
  params.append('card[exp_year]', card.expiration_year);
  params.append('card[cvc]', card.cvc);
  const token = await fetch(STRIPE_URL + '/v1/tokens', { method: 'POST', headers, body: params });
  if (!token.ok) throw new ReactorRuntimeError('tokens: ' + token.status);
  const { id } = await token.json();

  const response = await fetch(STRIPE_URL + path, {
    method: 'post',
    headers,
    body: new URLSearchParams({ amount, currency: 'usd', source: id }).toString(),
  });
  if (response.status === 402) {
    const { error } = await response.json();
    throw new InvalidPaymentMethodError(error.message);
  }
  const charge = await response.json();
  return { raw: { charge } };
};`;

test('given a charge by node-fetch, when it is invoked with a token, then the provider gets the card', async ({
  service,
  provider,
  url,
}) => {
  const id = await tokenOf(service, { type: 'card', data: card });
  const configuration = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_URL: url };
  const args = { card: `{{ ${id} }}`, amount: 2000, path: '/v1/charges' };
  const { status, body } = await react(service, stripe, { configuration, args });
  assert.equal([status, body.raw], [200, { charge: { id: 'ch_1', status: 'succeeded', amount: 2000 } }]);
  const [tokens, charges] = provider.seen.slice(-2);
  assert.is(new URLSearchParams(tokens?.body).get('card[number]'), card.number);
  assert.is(charges?.body, 'amount=2000&currency=usd&source=tok_1');
  assert.is(charges?.headers.authorization, 'Bearer sk_test_1');
  const declined = await react(service, stripe, { configuration, args: { ...args, path: '/declined' } });
  assert.equal(
    [declined.status, declined.body.detail, declined.body.errors],
    [402, 'Invalid Payment Method', { error: ['Your card was declined.'] }],
  );
});

const retrying = `
const axios = require('axios');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

module.exports = async (req) => {
  const client = axios.create({ baseURL: req.configuration.BASE_URL, timeout: 5000, headers: { 'X-Api-Key': 'k' } });
  for (let attempt = 1; ; attempt++) {
    try {
      const { data, status } = await client.post('/flaky', { customer: req.args.customer });
      return { raw: { status, data, attempt } };
    } catch (error) {
      if (!error.response || error.response.status < 500 || attempt >= 5) throw error;
      await sleep(10 * 2 ** attempt);
    }
  }
};`;

test('given a post by axios that is tried again, when the provider fails twice, then the third succeeds', async ({
  service,
  provider,
  url,
}) => {
  const args = { customer: { name: 'Ünal' } };
  const { status, body } = await react(service, retrying, { configuration: { BASE_URL: url }, args });
  assert.equal([status, body.raw], [200, { status: 201, data: { attempts: 3 }, attempt: 3 }]);
  const last = provider.seen.at(-1);
  assert.equal([last?.method, last?.headers['x-api-key'], JSON.parse(last?.body ?? '')], ['POST', 'k', args]);
});

const challenge = `
const fetch = require('node-fetch');
const { URL } = require('url');

module.exports = async function (req) {
  const visited = [];
  let url = req.configuration.URL + '/3ds/start';
  let response = await fetch(url, { method: 'POST', body: JSON.stringify({ pan: req.args.pan }), redirect: 'manual' });
  while (response.status >= 300 && response.status < 400) {
    url = new URL(response.headers.get('location'), url).toString();
    visited.push(new URL(url).pathname);
    response = await fetch(url, { redirect: 'manual' });
  }
  const followed = await fetch(req.configuration.URL + '/3ds/start', { method: 'POST', body: '' });
  return { raw: { visited, result: await response.json(), same: (await followed.json()).eci } };
};`;

test('given an authentication that redirects, when code follows by hand and by the library, then both arrive', async ({
  service,
  url,
}) => {
  const { status, body } = await react(service, challenge, {
    configuration: { URL: url },
    args: { pan: card.number },
  });
  assert.equal(
    [status, body.raw],
    [200, { visited: ['/3ds/challenge', '/3ds/result'], result: { eci: '05', cavv: 'AAAB' }, same: '05' }],
  );
});

const xml = `
const https = require('https');
const { XMLParser, XMLBuilder } = require('fast-xml-parser');

module.exports = (req) => new Promise((resolve, reject) => {
  const builder = new XMLBuilder({ ignoreAttributes: false, format: false });
  const payload = builder.build({ request: { '@_type': 'sale', pan: req.args.pan, amount: req.args.amount } });
  const request = https.request(req.configuration.URL + '/xml', {
    method: 'POST',
    headers: { 'Content-Type': 'text/xml', 'Content-Length': Buffer.byteLength(payload) },
  }, (response) => {
    let data = '';
    response.setEncoding('utf8');
    response.on('data', (chunk) => (data += chunk));
    response.on('end', () => {
      const { response: parsed } = new XMLParser({ ignoreAttributes: false, parseTagValue: false }).parse(data);
      resolve({ raw: { code: parsed['@_code'], auth: parsed.auth, amount: parsed.amount['#text'] } });
    });
  });
  request.on('error', reject);
  request.write(payload);
  request.end();
});`;

test('given a request in XML by https, when it is invoked, then what the provider answers is parsed', async ({
  service,
  provider,
  url,
}) => {
  const args = { pan: card.number, amount: '12.50' };
  const { status, body } = await react(service, xml, { configuration: { URL: url }, args });
  assert.equal([status, body.raw], [200, { code: '00', auth: 'A1', amount: '12.50' }]);
  assert.is(
    provider.seen.at(-1)?.body,
    `<request type="sale"><pan>${card.number}</pan><amount>12.50</amount></request>`,
  );
});

test.run();
