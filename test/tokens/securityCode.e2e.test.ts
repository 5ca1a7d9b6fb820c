import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemContext } from '#commands/systemContext.ts';
import { writeTokens } from '#commands/token/writeTokens.ts';
import { cardTokenType } from '#domain/token/types/card.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Token = Record<string, unknown> & { id: string; errors?: Record<string, string[]> };

const code = suite<{ service: VaultService }>('what is derived from data with a security code');

code.before(async (context) => {
  context.service = await startVaultService();
});
code.after(({ service }) => service.close());

const card = { number: '4242424242424242', expiration_year: 2030, cvc: '739' };
const create = (service: VaultService, more: object) =>
  service.call<Token>('POST', '/tokens', { type: 'card', data: card, ...more });
const found = async (service: VaultService, query: string): Promise<string[]> => {
  const reply = await service.call<{ data: Token[] }>('POST', '/tokens/search', { query });
  return reply.body.data.map(({ id }) => id);
};
const fault = 'must render to a value without data.cvc, which is gone an hour after it was stored';

code(
  'given an expression that names the code, when a card is created or changed, then 400 names its path',
  async ({ service }) => {
    for (const [attributes, path] of [
      [{ search_indexes: ['{{ data.number }}', '{{ data.cvc }}'] }, 'search_indexes[1]'],
      [{ search_indexes: ['{{ data.number }}-{{ data["cvc"] }}'] }, 'search_indexes[0]'],
      [{ fingerprint_expression: '{{ data.cvc }}' }, 'fingerprint_expression'],
      [{ fingerprint_expression: '{{ data.number | append: data.cvc }}' }, 'fingerprint_expression'],
      [{ id: 'cvcid-{{ data.cvc }}-z' }, 'id'],
      [{ id: '{{ data.cvc }}{{ data.number | alias_card }}' }, 'id'],
    ] as const) {
      const refused = await create(service, attributes);
      assert.equal([refused.status, refused.body.errors], [400, { [path]: [fault] }]);
    }
    const { body } = await create(service, {});
    for (const [attributes, path] of [
      [{ search_indexes: ['{{ data.cvc }}'] }, 'search_indexes[0]'],
      [{ fingerprint_expression: '{{ data.cvc }}' }, 'fingerprint_expression'],
    ] as const) {
      const refused = await service.call<Token>('PATCH', `/tokens/${body.id}`, attributes);
      assert.equal([refused.status, refused.body.errors], [400, { [path]: [fault] }]);
    }
  },
);

code(
  'given expressions that reach the code without its name, when they are rendered, then it is not there',
  async ({ service }) => {
    const refused = await create(service, { search_indexes: ["{{ data | json: '$.cvc' }}"] });
    assert.equal(Object.keys(refused.body.errors ?? {}), ['search_indexes[0]']);
    const whole = '{{ data | stringify }}';
    const { body } = await create(service, {
      id: "cvcid-{{ data | json: '$.cvc' }}-z",
      search_indexes: [whole],
      fingerprint_expression: whole,
    });
    assert.is(body.id, 'cvcid--z');
    const without = JSON.stringify({ number: card.number, expiration_year: 2030 });
    assert.equal(await found(service, `data:${JSON.stringify(without)}`), [body.id]);
    const { cvc, ...rest } = card;
    assert.equal(await found(service, `data:${JSON.stringify(JSON.stringify({ ...rest, cvc }))}`), []);
    const other = await create(service, { data: { ...card, cvc: '111' }, fingerprint_expression: whole });
    assert.is(other.body['fingerprint'], body['fingerprint']);
  },
);

code(
  'given three digits of an id that happen to be the code, when a card is created, then they are no fault',
  async ({ service }) => {
    assert.is((await create(service, { id: 'order 739' })).status, 201);
    const plain = { type: 'token', data: { cvc: 'kept' }, search_indexes: ['{{ data.cvc }}'] };
    const { status, body } = await service.call<Token>('POST', '/tokens', plain);
    assert.is(status, 201);
    assert.equal(await found(service, 'data:kept'), [body.id]);
  },
);

code(
  'given a card from before, whose index names the code, when its metadata changes, then that is done',
  async ({ service }) => {
    const { composition, tenantId } = service;
    const data = { number: card.number, expiration_year: card.expiration_year };
    const [written] = await writeTokens(
      composition,
      systemContext(tenantId, { type: 'system', id: 'test' }),
      [
        {
          path: '',
          ids: ['from before'].values() as Iterator<string, undefined>,
          type: cardTokenType,
          attributes: {
            mask: cardTokenType.defaultMask,
            containers: ['/pci/high/'],
            metadata: undefined,
            searchIndexes: ['{{ data.cvc }}', '{{ data.number | last4 }}'],
            fingerprintExpression: '{{ data.cvc }}',
            expiresAt: undefined,
          },
          secret: { data },
          deduplicate: false,
          data,
        },
      ],
    );
    assert.is(written?.state.status, 'live');
    const patched = await service.call<Token>('PATCH', '/tokens/from%20before', { metadata: { a: 'b' } });
    assert.equal([patched.status, patched.body['metadata']], [200, { a: 'b' }]);
    assert.equal(await found(service, 'data:4242 AND metadata.a:b'), ['from before']);
  },
);

code.run();
