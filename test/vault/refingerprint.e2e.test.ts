import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refingerprint } from '#infra/vault/administration/refingerprint.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Token = { id: string; fingerprint?: string };

let service: VaultService;
const test = suite('fingerprints computed anew');

test.before(async () => {
  service = await startVaultService();
});
test.after(() => service.close());

test('given one from before its expression counted, then it matches nothing until it is computed anew', async () => {
  const key = await service.ruledKey({
    container: '/',
    transform: 'reveal',
    permissions: ['token:create', 'token:read'],
  });
  const make = async (more: object = {}): Promise<Token> => {
    const body = { type: 'token', data: { n: 'one', v: 1 }, deduplicate_token: true, ...more };
    return (await service.call<Token>('POST', '/tokens', body, { key })).body;
  };
  const own = { fingerprint_expression: '{{ data.n }}' };
  const [usual, old] = [await make(), await make(own)];
  const { owner } = service.composition.pools;
  await owner.query('update vault.payloads set fingerprint = $3 where tenant_id = $1 and fingerprint = $2', [
    service.tenantId,
    old.fingerprint,
    usual.fingerprint,
  ]);
  const later = await make(own);
  assert.is.not(later.id, old.id);
  assert.is((await make()).id, usual.id);
  const { keyProvider } = service.composition;
  const administration = {
    pool: owner,
    keyProvider,
    environment: service.composition.config.environment,
  };
  const options = {
    defaultExpressions: new Map([['token', '{{ data | stringify }}']]),
    render: ({ data }: { data: unknown }) => (data as { n: string }).n,
  };
  assert.is(await refingerprint(administration, service.tenantId, options), 1);
  assert.is(await refingerprint(administration, service.tenantId, options), 0);
  assert.is((await make(own)).id, old.id);
  const read = await service.call<Token>('GET', `/tokens/${old.id}`, undefined, { key });
  assert.is(read.body.fingerprint, old.fingerprint);
});

test.run();
