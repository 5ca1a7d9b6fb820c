import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Tenant = { settings: Record<string, string>; errors?: Record<string, string[]> };

const tenant = suite<{ service: VaultService }>('settings of tenants');

tenant.before(async (context) => {
  context.service = await startVaultService();
});
tenant.after(({ service }) => service.close());

const put = (service: VaultService, settings: object) =>
  service.call<Tenant>('PUT', '/tenants/self', { name: 'Test', settings }, { key: service.keys.management });
const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`setting ${index}`, 'x']));

tenant('given settings within their bounds, when they are put, then they are kept', async ({ service }) => {
  const settings = { ...numbered(49), ['n'.repeat(100)]: 'v'.repeat(400) };
  const reply = await put(service, settings);
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  assert.equal(reply.body.settings, settings);
});

tenant('given settings that are too much, when they are put, then 400 names what', async ({ service }) => {
  const name = 'n'.repeat(101);
  for (const [settings, errors] of [
    [numbered(51), { settings: ['must be an object of at most 50 properties'] }],
    [{ a: 'v'.repeat(401) }, { 'settings.a': ['must be a string of at most 400 characters'] }],
    [{ [name]: 'v' }, { settings: ['must name its properties by a string of at most 100 characters'] }],
  ] as const) {
    const refused = await put(service, settings);
    assert.equal([refused.status, refused.body.errors], [400, errors]);
  }
});

tenant.run();
