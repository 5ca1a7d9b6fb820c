import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { createCard } from '#test/updater/support/service.ts';

type Context = { service: VaultService };
type Answer = { result_code: string; new_token?: { id: string; data: object; metadata: object } };

const realTime = suite<Context>('one card at once');

realTime.before(async (context) => {
  context.service = await startVaultService();
});
realTime.after(({ service }) => service.close());

const ask = (service: VaultService, body: object, options = {}) =>
  service.call<Answer>('POST', '/account-updater/real-time', body, options);

const dated = { expiration_month: 12, expiration_year: 2024 };

realTime(
  'given a replaced card, then the answer has its new token, masked, with all of the old one',
  async ({ service }) => {
    const id = await createCard(service, { number: '4111111111111111', ...dated }, { metadata: { a: 'b' } });
    const { status, body } = await ask(service, { token_id: id });
    assert.equal([status, body.result_code], [200, 'UPD_PAN']);
    const { new_token: made } = body;
    assert.ok(made !== undefined);
    assert.equal([made.data, made.metadata], [{ number: 'XXXXXXXXXXXX6746', ...dated }, { a: 'b' }]);
    const got = await service.call<{ data: object }>('GET', `/tokens/${made.id}`);
    assert.equal(got.body.data, made.data);
  },
);

realTime(
  'given cards of which nothing new is known, then there is a code and no token',
  async ({ service }) => {
    const codes: [string, string][] = [
      ['4711358892785746', 'NO_UPDATE'],
      ['5461310156953048', 'WRN_CLOSED_ACCOUNT'],
      ['3530111333300000', 'ERR_INVALID_PAN'],
    ];
    for (const [number, code] of codes) {
      const { body } = await ask(service, { token_id: await createCard(service, { number, ...dated }) });
      assert.equal(body, { result_code: code });
    }
  },
);

realTime('given a token without an expiration, then it comes from the request', async ({ service }) => {
  const id = await createCard(service, { number: '6011490740263725' });
  assert.equal((await ask(service, { token_id: id })).body, { result_code: 'ERR_INVALID_EXP_DATE' });
  const { body } = await ask(service, { token_id: id, expiration_month: 2, expiration_year: 2025 });
  assert.is(body.result_code, 'UPD_CORRECTED');
  assert.equal(body.new_token?.data, {
    ...{ number: 'XXXXXXXXXXXX3725', expiration_month: 2, expiration_year: 2028 },
  });
});

realTime('given an idempotency key, then a repeated request makes no second token', async ({ service }) => {
  const id = await createCard(service, { number: '4111111111111111', ...dated });
  const options = { headers: { 'BT-IDEMPOTENCY-KEY': 'real-time-1' } };
  const first = await ask(service, { token_id: id }, options);
  const second = await ask(service, { token_id: id }, options);
  assert.is(first.body.new_token?.id, second.body.new_token?.id);
});

realTime(
  'given what is no card of the tenant, or a wrong body, or no permission, then it is refused',
  async ({ service }) => {
    const { private: key, public: weak } = await service.anotherTenant();
    const foreign = await createCard(service, { number: '4111111111111111', ...dated }, {}, key);
    assert.is((await ask(service, { token_id: foreign })).status, 404);
    assert.is((await ask(service, { token_id: 'nobody' })).status, 404);
    const plain = await service.call<{ id: string }>('POST', '/tokens', { type: 'token', data: 'x' });
    assert.is((await ask(service, { token_id: plain.body.id })).status, 400);
    assert.is((await ask(service, { token_id: foreign, expiration_month: 13 })).status, 400);
    assert.is((await ask(service, {})).status, 400);
    assert.is((await ask(service, { token_id: foreign }, { key: weak })).status, 403);
  },
);

realTime('given a use of a card, then it is in the audit log', async ({ service }) => {
  const id = await createCard(service, { number: '4711358892785746', ...dated });
  await ask(service, { token_id: id });
  const { body } = await service.call<{ data: { operation: string }[] }>(
    'GET',
    `/logs?entity_id=${id}&operation=use`,
    undefined,
    { key: service.keys.management },
  );
  assert.is(body.data.length, 1);
});

realTime.run();
