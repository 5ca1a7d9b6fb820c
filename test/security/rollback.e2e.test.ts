import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const rollback = suite<{ service: VaultService; key: string }>('old rows in the place of new ones');

rollback.before(async (context) => {
  context.service = await startVaultService({ alone: true });
  // What the attacker keeps must not be swept from the rows that he puts back.
  await context.service.stopWorker();
  context.key = await context.service.ruledKey({
    container: '/',
    transform: 'reveal',
    permissions: ['token:read', 'token:create', 'token:update'],
  });
});
rollback.after(({ service }) => service.close());

rollback(
  'given a writer of the database who puts an older row in the place of the newer, when the token is read, then nothing is shown',
  async ({ service, key }) => {
    const { owner } = service.composition.pools;
    const { body: token } = await service.call<{ id: string }>(
      'POST',
      '/tokens',
      { type: 'token', data: { role: 'administrator' } },
      { key },
    );
    await owner.query('create table kept as select * from vault.payloads');
    const patch = { data: { role: 'guest' } };
    assert.is((await service.call('PATCH', `/tokens/${token.id}`, patch, { key })).status, 200);
    const columns = ['salt = k.salt, ciphertext = k.ciphertext', 'ciphertext = k.ciphertext'];
    for (const put of columns) {
      await owner.query(
        `update vault.payloads p set ${put} from kept k where p.stream = k.stream and p.id <> k.id`,
      );
      const read = await service.call<{ data?: unknown }>('GET', `/tokens/${token.id}`, undefined, { key });
      assert.is(read.status, 500);
      assert.not.match(JSON.stringify(read.body), 'administrator');
    }
  },
);

rollback.run();
