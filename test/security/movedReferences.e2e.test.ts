import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Token = { id: string };

const moved = suite<{ service: VaultService; key: string; secret: Token; own: Token }>(
  'references that moved',
);

const code = '987';

moved.before(async (context) => {
  context.service = await startVaultService({ alone: true });
  context.key = await context.service.ruledKey({
    container: '/',
    transform: 'reveal',
    permissions: ['token:read', 'token:create', 'token:update', 'token:search', 'token:use'],
  });
  const { service, key } = context;
  const create = async (data: unknown): Promise<Token> => {
    const { status, body } = await service.call<Token>('POST', '/tokens', { type: 'card', data }, { key });
    assert.is(status, 201);
    return body;
  };
  const expiration = { expiration_month: 12, expiration_year: 2035 };
  context.secret = await create({ number: '4242424242424242', ...expiration, cvc: code });
  context.own = await create({ number: '5555555555554444', ...expiration, cvc: '123' });
  const { rowCount } = await service.composition.pools.owner.query(
    `update read_models.tokens set payload_id = (select payload_id from read_models.tokens where id = $1)
     where id = $2`,
    [context.secret.id, context.own.id],
  );
  assert.is(rowCount, 1);
});
moved.after(({ service }) => service.close());

const asks: [string, (own: string, secret: string) => [string, string, unknown?]][] = [
  ['read', (own) => ['GET', `/tokens/${own}`]],
  ['listed', () => ['GET', '/tokens']],
  ['listed beside the token that it names', (own, secret) => ['GET', `/tokens?id=${own}&id=${secret}`]],
  ['listed after the token that it names', (own, secret) => ['GET', `/tokens?id=${secret}&id=${own}`]],
  ['found', () => ['POST', '/tokens/search', { query: 'type:card' }]],
];

for (const [way, ask] of asks) {
  moved(
    `given a writer of the database who points his token at what another keeps, when it is ${way}, then it shows nothing`,
    async ({ service, key, own, secret }) => {
      const [method, path, body] = ask(own.id, secret.id);
      const answer = await service.call<unknown>(method, path, body, { key });
      assert.is(answer.status, 500);
      assert.not.match(JSON.stringify(answer.body), '4242');
      assert.not.match(JSON.stringify(answer.body), code);
    },
  );
}

moved(
  'given a writer who moves the row as well, when the token is read, then it shows nothing',
  async ({ service, key, own, secret }) => {
    const { owner } = service.composition.pools;
    const stream = `token-${service.tenantId}.`;
    await owner.query('update vault.payloads set stream = $1 where stream = $2', [
      stream + own.id,
      stream + secret.id,
    ]);
    const answer = await service.call<unknown>('GET', `/tokens/${own.id}`, undefined, { key });
    assert.is(answer.status, 500);
    assert.not.match(JSON.stringify(answer.body), '4242');
    assert.is((await service.call('GET', `/tokens/${secret.id}`, undefined, { key })).status, 200);
  },
);

moved.run();
