import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Permission = { type: string; description: string; application_types: string[] };

const permissions = suite<{ service: VaultService }>('the list of permissions');

permissions.before(async (context) => {
  context.service = await startVaultService();
});
permissions.after(({ service }) => service.close());

permissions(
  'given any key, when it asks, then it is told what each type of application may hold',
  async ({ service }) => {
    for (const key of Object.values(service.keys)) {
      assert.is((await service.call('GET', '/permissions', undefined, { key })).status, 200);
    }
    const { body: all } = await service.call<Permission[]>('GET', '/permissions');
    const { body: ofPublic } = await service.call<Permission[]>(
      'GET',
      '/permissions?application_type=public',
    );
    assert.equal(
      ofPublic.map(({ type }) => type),
      ['token:create', 'token:update'],
    );
    assert.ok(all.length > ofPublic.length);
    assert.equal(
      all.find(({ type }) => type === 'tenant:read'),
      { type: 'tenant:read', description: 'Read the tenant', application_types: ['management'] },
    );
    assert.is((await service.call('GET', '/permissions?application_type=nobody')).status, 400);
  },
);

permissions.run();
