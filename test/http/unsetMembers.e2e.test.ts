import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

/** Models of client libraries write all of their members, those of later versions too. */
const unset = suite<{ service: VaultService }>('http: members that nobody set');

unset.before(async (context) => {
  context.service = await startVaultService();
});
unset.after(({ service }) => service.close());

const code = 'module.exports = async (req) => ({ headers: req.args.headers, body: req.args.body })';
const siblings = { matcher: null, expression: '', replacement: null, options: {} };

unset(
  'given a transform with members that are not set, when a proxy is made, then it has the code',
  async ({ service }) => {
    const key = service.keys.management;
    for (const transform of [
      { request_transform: { type: 'code', code, ...siblings } },
      { request_transform: { type: null, code, ...siblings } },
      { request_transforms: [{ type: 'code', code, ...siblings }] },
      { request_transforms: [{ code }] },
    ]) {
      const body = { name: 'p', destination_url: 'https://example.com', ...transform };
      const made = await service.call<{ request_transform?: object }>('POST', '/proxies', body, { key });
      assert.equal([made.status, made.body.request_transform], [201, { code }], JSON.stringify(made.body));
    }
    const nothing = { type: null, code: null, ...siblings };
    const body = { name: 'p', destination_url: 'https://example.com', response_transform: nothing };
    const made = await service.call<{ response_transform?: object }>('POST', '/proxies', body, { key });
    assert.equal([made.status, made.body.response_transform], [201, undefined], JSON.stringify(made.body));
  },
);

unset('given a value in such a member, when a proxy is made, then 400 names it', async ({ service }) => {
  const transform = { type: 'code', code, matcher: 'regex' };
  const body = { name: 'p', destination_url: 'https://example.com', request_transforms: [transform] };
  const refused = await service.call<{ errors: object }>('POST', '/proxies', body, {
    key: service.keys.management,
  });
  assert.equal([refused.status, Object.keys(refused.body.errors)], [400, ['request_transforms[0].matcher']]);
});

unset(
  'given searches of both versions, when the other one\u2019s members are sent, then they are overlooked',
  async ({ service }) => {
    for (const start of [null, '', 'abc']) {
      const body = { query: 'type:token', size: 2, start };
      assert.is((await service.call('POST', '/tokens/search', body)).status, 200);
    }
    for (const more of [{ page: 1 }, { page: 1, start: '' }]) {
      assert.is(
        (await service.call('POST', '/v2/tokens/search', { query: 'type:token', ...more })).status,
        200,
      );
    }
  },
);

unset(
  'given nulls in requests of cards, when they are sent, then they are as if absent',
  async ({ service }) => {
    const card = { number: '4200000000000004', expiration_month: 12, expiration_year: 2030 };
    const token = await service.call<{ id: string }>('POST', '/tokens', { type: 'card', data: card });
    const session = {
      ...{ token_id: token.body.id, pan: null, device: null, token_intent_id: null },
      authentication_request: null,
    };
    assert.is((await service.call('POST', '/3ds/sessions', session)).status, 201);
    assert.is((await service.call('POST', '/3ds/sessions', { ...session, device: '' })).status, 201);
    assert.is((await service.call('POST', '/account-updater/jobs', { merchant_id: null })).status, 201);
    const realTime = { token_id: token.body.id, merchant_id: null };
    assert.is((await service.call('POST', '/account-updater/real-time', realTime)).status, 200);
  },
);

unset(
  'given texts without a character for what is no text, when they are sent, then they are as if absent',
  async ({ service }) => {
    const key = service.keys.management;
    const empties = { id: '', metadata: '', containers: '', search_indexes: '', deduplicate_token: '' };
    type Made = { id: string; containers: string[]; metadata?: object; settings?: object; key?: string };
    const bare = await service.call<Made>('POST', '/tokens', { type: 'token', data: 'x', ...empties });
    assert.equal(
      [bare.status, bare.body.containers, bare.body.metadata],
      [201, ['/general/high/'], undefined],
    );
    assert.is(
      (await service.call('POST', '/tokenize', { type: 'token', data: 'y', ...empties })).status,
      200,
    );

    const set = { metadata: { a: 'b' }, containers: ['/a/'], search_indexes: ['{{ data }}'] };
    const made = await service.call<Made>('POST', '/tokens', { type: 'token', data: 'x', ...set });
    const changes = { ...empties, id: undefined };
    const path = `/tokens/${made.body.id}`;
    const kept = await service.call<Made>('PATCH', path, changes);
    assert.equal(
      [kept.status, kept.body.metadata, kept.body.containers],
      [200, set.metadata, set.containers],
    );
    const { search_indexes } = kept.body as { search_indexes?: unknown };
    assert.equal(search_indexes, set.search_indexes);
    const cleared = await service.call<object>('PATCH', path, { search_indexes: [], data: 'x' });
    assert.equal(
      [cleared.status, 'search_indexes' in cleared.body],
      [200, false],
      JSON.stringify(cleared.body),
    );

    const application = { name: 'a', type: 'private', permissions: ['token:read'] };
    const unwritten = { create_key: '', public_fingerprints: '' };
    const applied = await service.call<Made>(
      'POST',
      '/applications',
      { ...application, ...unwritten },
      { key },
    );
    assert.equal([applied.status, typeof applied.body.key], [201, 'string']);
    const webhook = { name: 'w', url: 'https://example.com/', events: ['token.created'], application_id: '' };
    assert.is((await service.call('POST', '/webhooks', webhook, { key })).status, 201);
    const settings = { bin_details: 'true' };
    await service.call('PUT', '/tenants/self', { name: 't', settings }, { key });
    const tenant = await service.call<Made>('PUT', '/tenants/self', { name: 't', settings: '' }, { key });
    const absent = await service.call<Made>('PUT', '/tenants/self', { name: 't' }, { key });
    assert.equal([tenant.status, tenant.body.settings], [200, absent.body.settings]);
  },
);

unset(
  'given empty pages and sizes, when a list is asked for, then they are as if absent',
  async (context) => {
    const { call, keys } = context.service;
    const { body: token } = await call<{ id: string }>('POST', '/tokens', { type: 'token', data: 'x' });
    for (const path of [
      ...['/applications', '/reactors', '/proxies', '/webhooks', '/logs', '/permissions'],
      ...['/tenants/self/members', '/tenants/self/invitations', `/tokens/${token.id}/history`],
    ]) {
      const list = await call('GET', `${path}?page=&size=&start=`, undefined, { key: keys.management });
      assert.is(list.status, 200, `${path} ${JSON.stringify(list.body)}`);
    }
    for (const path of ['/tokens?page=&size=', '/v2/tokens?page=&start=&size=']) {
      const list = await call<{ data: unknown[] }>('GET', path);
      assert.equal([list.status, list.body.data.length > 0], [200, true], path);
    }
    const after = await call('GET', '/logs?after=&size=1', undefined, { key: keys.management });
    assert.is(after.status, 200);
  },
);

unset('given an empty filter, when a list is asked for, then it is not overlooked', async ({ service }) => {
  for (const filter of ['id', 'type', 'fingerprint', 'metadata.a']) {
    const list = await service.call<{ data: unknown[] }>('GET', `/tokens?${filter}=`);
    assert.equal([list.status, list.body.data], [200, []], filter);
  }
  const { status, body } = await service.call<{ errors: object }>('GET', '/logs?outcome=', undefined, {
    key: service.keys.management,
  });
  assert.equal([status, Object.keys(body.errors)], [400, ['outcome']]);
});

unset(
  'given a value in another case than its list, when it filters, then 400 lists them',
  async ({ service }) => {
    for (const [path, expected] of [
      ['/tenants/self/invitations?status=pending', '"PENDING", "EXPIRED"'],
      ['/logs?outcome=Refused', '"succeeded", "refused"'],
      ['/permissions?application_type=Private', '"public", "private", "management"'],
    ] as const) {
      const { status, body } = await service.call<{ errors: object }>('GET', path, undefined, {
        key: service.keys.management,
      });
      assert.is(status, 400);
      assert.match(JSON.stringify(body.errors).replaceAll('\\"', '"'), `must be one of ${expected}`);
    }
  },
);

unset(
  'given data in another form, or other names for what is known, when a token is made, then 400',
  async ({ service }) => {
    for (const [name, value] of Object.entries({
      ...{ encrypted: 'eyJh', token_intent_id: 'abc', ttl: 5, deduplicate: true },
    })) {
      const body = { type: 'token', data: 'x', [name]: value };
      const refused = await service.call<{ errors: object }>('POST', '/tokens', body);
      assert.equal([refused.status, Object.keys(refused.body.errors)], [400, [name]]);
      assert.is((await service.call('POST', '/tokens', { ...body, [name]: null })).status, 201);
    }
  },
);

unset.run();
