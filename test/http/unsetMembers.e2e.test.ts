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
