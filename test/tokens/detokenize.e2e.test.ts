import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; card: string; revealing: string };

const detokenize = suite<Context>('detokenize');

detokenize.before(async (context) => {
  const service = await startVaultService();
  const revealing = await service.ruledKey({
    description: 'cards',
    container: '/pci/',
    transform: 'reveal',
    permissions: ['token:read'],
  });
  const data = { number: '4242424242424242', expiration_month: 3, expiration_year: 2030 };
  const card = await service.call<{ id: string }>('POST', '/tokens', {
    id: 'card of Leia@alderaan.example',
    type: 'card',
    data,
    metadata: { owner: 'Leia' },
  });
  assert.is(card.status, 201);
  Object.assign(context, { service, card: card.body.id, revealing });
});

detokenize.after(({ service }) => service.close());

detokenize(
  'given a reveal rule, when expressions are sent, then values take their place with their types',
  async ({ service, card, revealing }) => {
    const body = {
      whole: `{{ ${card} }}`,
      month: `{{ ${card} | json: '$.expiration_month' }}`,
      padded: `{{ ${card} | json: '$.expiration_month' | pad_left: 2, '0' }}`,
      text: `number {{${card} | json: '$.number'}}, owner {{ token: ${card} | json: '$.metadata.owner' }}`,
      list: [1, null, 'plain'],
    };
    const reply = await service.call('POST', '/detokenize', body, { key: revealing });
    assert.is(reply.status, 200);
    assert.equal(reply.body, {
      whole: { number: '4242424242424242', expiration_month: 3, expiration_year: 2030 },
      month: 3,
      padded: '03',
      text: 'number 4242424242424242, owner Leia',
      list: [1, null, 'plain'],
    });
  },
);

detokenize(
  'given a plain permission, when a card is asked for, then it is masked',
  async ({ service, card }) => {
    const reply = await service.call<{ number: string }>('POST', '/detokenize', {
      number: `{{ ${card} | json: '$.number' }}`,
    });
    assert.equal(reply.body, { number: 'XXXXXXXXXXXX4242' });
  },
);

detokenize(
  'given unknown tokens, when they are referred to, then 400 names each of them where it stands',
  async ({ service, card }) => {
    const failed = (ids: string): string[] => [`Failed to detokenize some tokens: ${ids}`];
    for (const [body, errors] of [
      ['{{ nobody }}', { body: failed('nobody') }],
      [
        [`{{ ${card} }}`, '{{ nobody }}', { deep: ['{{ token: no-one }}'] }],
        { '[1]': failed('nobody'), '[2].deep[0]': failed('no-one') },
      ],
      [
        { a: '{{ nobody }} and {{ no-one }} and {{ nobody }}', b: '{{ nobody }}' },
        { a: failed('nobody, no-one'), b: failed('nobody') },
      ],
      [{ ['__proto__']: '{{ nobody }}' }, { ['__proto__']: failed('nobody') }],
    ] as const) {
      const reply = await service.call('POST', '/detokenize', body);
      assert.is(reply.status, 400);
      assert.equal(JSON.stringify(reply.body['errors']), JSON.stringify(errors));
    }
    const many = await service.call('POST', '/detokenize', Array(900).fill('{{ nobody }}'));
    assert.is(Object.keys(many.body['errors'] ?? {}).length, 100);
  },
);

detokenize(
  'given a token outside the granted containers, when it is referred to, then 403',
  async ({ service, revealing }) => {
    const other = await service.call<{ id: string }>('POST', '/tokens', { type: 'token', data: 'secret' });
    const reply = await service.call(
      'POST',
      '/detokenize',
      { a: `{{ ${other.body.id} }}` },
      { key: revealing },
    );
    assert.is(reply.status, 403);
  },
);

detokenize('given a bad expression, when it is sent, then 400 names its path', async ({ service, card }) => {
  const reply = await service.call('POST', '/detokenize', { a: [`{{ ${card} | json: '$..*' }}`] });
  assert.is(reply.status, 400);
  assert.equal(Object.keys(reply.body['errors'] ?? {}), ['a[0]']);
});

detokenize('given more than a hundred tokens, when they are referred to, then 400', async ({ service }) => {
  const many = Array.from({ length: 101 }, (_, index) => `{{ token-${index} }}`);
  assert.is((await service.call('POST', '/detokenize', many)).status, 400);
});

detokenize.run();
