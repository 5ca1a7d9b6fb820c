import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

/** What some clients send and is refused on purpose: they must be able to tell their user why. */
const refusals = suite<{ service: VaultService }>('what clients send and stays refused');

refusals.before(async (context) => {
  context.service = await startVaultService();
});
refusals.after(({ service }) => service.close());

type Problem = { title: string; status: number; detail: string; errors: Record<string, string[]> };
type Case = { key?: 'private'; method: string; path: string; body?: object; errors: Record<string, RegExp> };

const proxy = { name: 'one', destination_url: 'https://example.com' };
const webhook = { name: 'one', url: 'https://example.com', events: ['token.created'] };
const application = { name: 'one', type: 'management', permissions: ['application:read'] };
const code = 'module.exports = async () => ({})';
const mapped = /^must be given as metadata\.<key>=<value>$/;

const cases: Record<string, Case> = {
  'a webhook without https': {
    method: 'POST',
    path: '/webhooks',
    body: { ...webhook, url: 'http://example.com' },
    errors: { url: /^must start with https:\/\/$/ },
  },
  'an event that is not published': {
    method: 'POST',
    path: '/webhooks',
    body: { ...webhook, events: ['token.created', 'token.read'] },
    errors: { 'events[1]': /^must be one of GET \/webhooks\/event-types$/ },
  },
  'an address that is none': {
    method: 'POST',
    path: '/webhooks',
    body: { ...webhook, notify_email: 'nobody' },
    errors: { notify_email: /^must / },
  },
  'a destination without https': {
    method: 'POST',
    path: '/proxies',
    body: { ...proxy, destination_url: 'http://example.com' },
    errors: { destination_url: /^must start with https:\/\/$/ },
  },
  'a transform of another type': {
    method: 'POST',
    path: '/proxies',
    body: { ...proxy, response_transforms: [{ type: 'mask', matcher: 'regex', code }] },
    errors: {
      'response_transforms[0].type': /^must be "code", or null$/,
      'response_transforms[0].matcher': /known here$/,
    },
  },
  'a permission that is not known': {
    method: 'POST',
    path: '/applications',
    body: { ...application, permissions: ['application:read', 'application:fly'] },
    errors: { 'permissions[1]': /application:fly/ },
  },
  'a permission of another type of application': {
    method: 'POST',
    path: '/applications',
    body: { ...application, type: 'private', permissions: ['reactor:create'] },
    errors: { 'permissions[0]': /reactor:create.*management/ },
  },
  'a formula in place of code': {
    method: 'POST',
    path: '/reactors',
    body: { name: 'one', formula: { id: '00000000-0000-4000-8000-000000000000' }, configuration: {} },
    errors: { code: /^is required$/ },
  },
  'metadata that is no text': {
    key: 'private',
    method: 'POST',
    path: '/tokens',
    body: { type: 'token', data: 'x', metadata: { ecommerce_customer: true } },
    errors: { 'metadata.ecommerce_customer': /^must be a string$/ },
  },
  "a map in a query as one client's language writes it": {
    key: 'private',
    method: 'GET',
    path: `/tokens?metadata=${encodeURIComponent('map[a:b]')}`,
    errors: { metadata: mapped },
  },
  "a map in a query as another's does": {
    key: 'private',
    method: 'GET',
    path: `/v2/tokens?metadata=${encodeURIComponent('{a=b}')}`,
    errors: { metadata: mapped },
  },
};

for (const [what, { key = 'management', method, path, body, errors }] of Object.entries(cases)) {
  refusals(`given ${what}, then 400 says where and why, in JSON`, async ({ service }) => {
    const reply = await service.call<Problem>(method, path, body, { key: service.keys[key] });
    assert.is(reply.status, 400, JSON.stringify(reply.body));
    assert.is(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    const { title, status, detail } = reply.body;
    assert.equal([typeof title, status, typeof detail], ['string', 400, 'string']);
    assert.equal(Object.keys(reply.body.errors).sort(), Object.keys(errors).sort());
    for (const [member, pattern] of Object.entries(errors)) {
      assert.match(reply.body.errors[member]?.[0] ?? '', pattern);
    }
  });
}

refusals('given a body without a content type, then 415 says which is wanted', async ({ service }) => {
  const response = await fetch(`${service.url}/tokens`, {
    method: 'POST',
    headers: { 'BT-API-KEY': service.keys.private, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: '{"type":"token","data":"x"}',
  });
  assert.equal(
    [response.status, response.headers.get('content-type')],
    [415, 'application/json; charset=utf-8'],
  );
  assert.is(((await response.json()) as Problem).detail, 'The Content-Type must be application/json.');
});

refusals.run();
