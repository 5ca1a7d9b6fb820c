import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTokens } from '#commands/token/create.ts';
import { systemContext } from '#commands/systemContext.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const lostClaims = suite<{ service: VaultService }>('tokens whose claim on a fingerprint was lost');

lostClaims.before(async (context) => {
  context.service = await startVaultService();
});
lostClaims.after(({ service }) => service.close());

lostClaims(
  'given a request that stood still for longer than its claim, when it goes on, then there is one token, of who took over',
  async ({ service }) => {
    const { composition, call, tenantId } = service;
    const contextOf = () => ({
      ...systemContext(tenantId, { type: 'system', id: 'test' } as const),
      rights: { permissions: ['token:create', 'token:read'], rules: [] },
    });
    const wanted = [
      { input: { type: 'card_number', data: '4242424242424242', deduplicate_token: true }, path: '' },
    ];
    const storeAll: typeof composition.vault.storeAll = async (payloads) => {
      await composition.vault.storeAll(payloads);
      await composition.pools.owner.query(
        `update work.fingerprint_claims set lease_until = now() - interval '1 second' where tenant_id = $1`,
        [tenantId],
      );
      await createTokens(composition, contextOf(), wanted);
    };
    const slow = { ...composition, vault: { ...composition.vault, storeAll } };
    const outcome = await createTokens(slow, contextOf(), wanted).then(
      () => 'created',
      (error: Error) => error.name,
    );
    assert.is(outcome, 'Conflicted');
    const { body } = await call<{ data: unknown[] }>('GET', '/tokens');
    assert.is(body.data.length, 1);
  },
);

lostClaims.run();
