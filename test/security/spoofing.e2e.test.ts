import { request } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const spoofing = suite<{ service: VaultService }>('headers that say who asks whom');

spoofing.before(async (context) => {
  context.service = await startVaultService({ environment: { PUBLIC_URL: 'https://vault.example.com' } });
});
spoofing.after(({ service }) => service.close());

/** `fetch` lets nobody write these headers. */
async function get<Body>(
  { url, keys }: VaultService,
  path: string,
  headers: Record<string, string>,
): Promise<Body> {
  const sent = request(`${url}${path}`, { headers: { 'BT-API-KEY': keys.management, ...headers } }).end();
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
  return (await json(response)) as Body;
}

const evil = {
  Host: 'evil.example.org',
  Forwarded: 'for=203.0.113.9;host=evil.example.org;proto=http',
  'X-Forwarded-Host': 'evil.example.org',
  'X-Forwarded-Proto': 'http',
  'X-Forwarded-For': '203.0.113.9',
  'X-Real-IP': '203.0.113.9',
};

spoofing('given forged hosts, when something is asked, then no answer leads there', async ({ service }) => {
  const document = await get<{ servers: { url: string }[] }>(service, '/openapi.json', evil);
  assert.equal(document.servers[0]?.url, 'https://vault.example.com');
  assert.not.match(JSON.stringify(document), 'evil.example.org');
  assert.not.match(JSON.stringify(await get(service, '/tokens/unknown', evil)), 'evil.example.org');
});

spoofing(
  'given a forged address of the client, when a refusal is written down, then it has the address of the connection',
  async ({ service }) => {
    await get(service, '/tokens/unknown', evil);
    const { rows } = await service.composition.pools.owner.query<{ address: string }>(
      'select distinct address from audit.entries where tenant_id = $1 and outcome = $2',
      [service.tenantId, 'refused'],
    );
    assert.is(rows.length, 1);
    assert.match(rows[0]?.address ?? '', /127\.0\.0\.1$/);
  },
);

spoofing.run();
