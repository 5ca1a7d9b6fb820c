import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Token = { id: string; fingerprint?: string };

let service: VaultService;
const settings = suite('settings of a tenant');

settings.before(async () => {
  service = await startVaultService();
});
settings.after(() => service.close());

settings('given fingerprint_tokens is false, then only what is deduplicated has a fingerprint', async () => {
  const body = { type: 'token', data: 'x' };
  const create = async (more: object = {}): Promise<Token> =>
    (await service.call<Token>('POST', '/tokens', { ...body, ...more })).body;
  assert.ok((await create()).fingerprint);
  const management = { key: service.keys.management };
  const change = (fingerprint_tokens: string) =>
    service.call('PUT', '/tenants/self', { name: 'a', settings: { fingerprint_tokens } }, management);
  assert.is((await change('maybe')).status, 400);
  assert.is((await change('false')).status, 200);
  await until(async () => (await create()).fingerprint === undefined);
  assert.ok((await create({ deduplicate_token: true })).fingerprint);
  assert.is((await change('true')).status, 200);
  await until(async () => (await create()).fingerprint !== undefined);
});

settings.run();
