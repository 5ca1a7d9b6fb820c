import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const enrichments = suite<{ service: VaultService }>('tenant settings and enrichments');

enrichments.before(async (context) => {
  context.service = await startVaultService();
});
enrichments.after(({ service }) => service.close());

const visa = '4101720000000003';
const set = (service: VaultService, settings: unknown, name = 'A tenant') =>
  service.call<Record<string, unknown>>(
    'PUT',
    '/tenants/self',
    { name, settings },
    { key: service.keys.management },
  );
const create = async (service: VaultService, body: object): Promise<string> =>
  (await service.call<{ id: string }>('POST', '/tokens', body)).body.id;
const revealing = (service: VaultService): Promise<string> =>
  service.ruledKey({ container: '/', transform: 'reveal', permissions: ['token:read'] });
const detokenize = async (service: VaultService, expression: string, key = service.keys.private) =>
  (await service.call('POST', '/detokenize', { value: expression }, { key })).body as { value?: unknown };

enrichments(
  'given a tenant, when it is read and changed, then name and settings are as said',
  async ({ service }) => {
    const asManagement = { key: service.keys.management };
    const first = await service.call('GET', '/tenants/self', undefined, asManagement);
    assert.equal([first.status, first.body['settings']], [200, {}]);
    const changed = await set(service, { bin_details: 'false', own: 'kept' }, 'Renamed');
    assert.equal(
      [changed.status, changed.body['name'], changed.body['settings']],
      [200, 'Renamed', { bin_details: 'false', own: 'kept' }],
    );
    const renamed = await service.call('PUT', '/tenants/self', { name: 'Again' }, asManagement);
    assert.equal(renamed.body['settings'], { bin_details: 'false', own: 'kept' });
    assert.is((await set(service, { bin_details: 'maybe' })).status, 400);
    assert.is((await set(service, {}, '')).status, 400);
    assert.is((await service.call('GET', '/tenants/self')).status, 403);
  },
);

enrichments(
  'given a card, when its enrichments are asked for, then BIN details come once the tenant wants them',
  async ({ service }) => {
    await set(service, {});
    const id = await create(service, { type: 'card', data: { number: visa } });
    const key = await revealing(service);
    const details = `{{ token: ${id} | json: '$.enrichments.card_details' }}`;
    const brand = `{{ token: ${id} | json: '$.enrichments.bin_details.card_brand' }}`;
    assert.equal((await detokenize(service, details, key)).value, { bin: '41017200', last4: '0003' });
    assert.is((await detokenize(service, brand, key)).value ?? null, null);
    await set(service, { bin_details: 'true' });
    assert.is((await detokenize(service, brand, key)).value, 'VISA');
    const read = await service.call('GET', `/tokens/${id}`);
    assert.not.ok('enrichments' in read.body);
    const amex = await create(service, { type: 'card_number', data: '373194999999998' });
    assert.equal((await detokenize(service, `{{ token: ${amex} | json: '$.enrichments' }}`, key)).value, {
      card_details: { bin: '373194', last4: '9998' },
      bin_details: {
        card_brand: 'AMEX',
        type: 'CREDIT',
        card_segment_type: 'CONSUMER',
        prepaid: false,
        bank: { name: 'TEST BANK', clean_name: 'Test Bank' },
        country: { alpha2: 'US', numeric: '840', name: 'United States' },
        product: { name: 'American Express' },
      },
    });
    const plain = await create(service, { type: 'token', data: visa });
    assert.is(
      (await detokenize(service, `{{ token: ${plain} | json: '$.enrichments' }}`, key)).value ?? null,
      null,
    );
  },
);

enrichments(
  'given a card, when the token as a whole is asked for, then its enrichments are not in it',
  async ({ service }) => {
    await set(service, { bin_details: 'true' });
    const key = await revealing(service);
    const id = await create(service, { type: 'card', data: { number: visa } });
    const whole = (await detokenize(service, `{{ token: ${id} }}`, key)).value as Record<string, unknown>;
    assert.equal([whole['data'], 'enrichments' in whole], [{ number: visa }, false]);
    assert.not.match(
      String((await detokenize(service, `x{{ token: ${id} | stringify }}`, key)).value),
      'enrich',
    );
    for (const path of [
      '$',
      '$..bin',
      '$.*.card_details',
      '$[?@.card_details]',
      "$['data','enrichments'].bin",
    ]) {
      const { value } = await detokenize(service, `{{ token: ${id} | json: "${path}" | stringify }}`, key);
      assert.not.match(String(value), /41017200(?!00000003)|card_details/, path);
    }
    for (const [expression, expected] of [
      [`{{token:${id}|json:"$['enrichments'].card_details.bin"}}`, '41017200'],
      [`BIN {{ token: ${id} | json: '$ .enrichments["card_details"]["bin"]' | slice: 0, 6 }}`, 'BIN 410172'],
    ]) {
      assert.is((await detokenize(service, String(expression), key)).value, expected);
    }
  },
);

enrichments(
  'given a card that a caller sees masked or redacted, when its enrichments are asked for, then there are none',
  async ({ service }) => {
    await set(service, { bin_details: 'true' });
    const id = await create(service, { type: 'card', data: { number: visa }, mask: {} });
    const redacting = await service.ruledKey({
      container: '/',
      transform: 'redact',
      permissions: ['token:read'],
    });
    for (const key of [service.keys.private, redacting]) {
      for (const path of ['$.enrichments', '$.enrichments.card_details.last4', '$.enrichments.bin_details']) {
        const { value } = await detokenize(service, `{{ token: ${id} | json: '${path}' }}`, key);
        assert.is(value ?? null, null, path);
      }
    }
  },
);

enrichments(
  'given a tenant that deduplicates, when a request does not say, then it does, and a request may refuse',
  async ({ service }) => {
    await set(service, { deduplicate_tokens: 'true' });
    const card = { type: 'card', data: { number: '5333650000000009' } };
    const first = await create(service, card);
    assert.is(await create(service, card), first);
    assert.is(await create(service, { ...card, deduplicate_token: null }), first);
    assert.is.not(await create(service, { ...card, deduplicate_token: false }), first);
    await set(service, { deduplicate_tokens: 'false' });
    assert.is.not(await create(service, card), first);
  },
);

enrichments.run();
