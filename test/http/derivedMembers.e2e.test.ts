import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const derived = suite<{ service: VaultService; all: string }>(
  'http: members that are derived, for older clients',
);

derived.before(async (context) => {
  context.service = await startVaultService();
  context.all = await context.service.ruledKey({
    container: '/',
    transform: 'reveal',
    permissions: ['token:create', 'token:read', 'token:update', 'token:search'],
  });
});
derived.after(({ service }) => service.close());

type Token = { id: string; privacy?: object };
type Page = { data: Token[] };

const privacy = (classification: string, impact: string, policy = 'redact'): object => ({
  classification,
  impact_level: impact,
  restriction_policy: policy,
});

derived(
  'given a token in usual containers, then every answer that shows it has its privacy',
  async ({ service, all }) => {
    const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2035 };
    const call = <Body>(method: string, path: string, body?: object) =>
      service.call<Body>(method, path, body, { key: all });
    const { body: made } = await call<Token>('POST', '/tokens', {
      type: 'card',
      data: card,
    });
    const wanted = privacy('pci', 'high', 'mask');
    const updated = await call<Token>('PATCH', `/tokens/${made.id}`, { metadata: { a: 'b' } });
    const read = await call<Token>('GET', `/tokens/${made.id}`);
    const listed = await call<Page>('GET', `/tokens?id=${made.id}`);
    const searched = await call<Page>('POST', '/tokens/search', { query: `id:${made.id}` });
    const tokenized = await call<Token>('POST', '/tokenize', { type: 'card', data: card });
    const shown = [made, updated.body, read.body, ...listed.body.data, ...searched.body.data, tokenized.body];
    assert.equal(
      shown.map((token) => token.privacy),
      Array.from({ length: 6 }, () => wanted),
    );
  },
);

derived(
  'given other containers, then the privacy is that of the highest impact, or none',
  async ({ service, all }) => {
    const privacyIn = async (containers: string[], mask?: string): Promise<object | undefined> => {
      const token = { type: 'token', data: 'x', containers, ...(mask === undefined ? {} : { mask }) };
      const { body } = await service.call<Token>('POST', '/tokens', token, { key: all });
      return body.privacy;
    };
    assert.equal(await privacyIn(['/general/low/', '/pii/moderate/of-mine/']), privacy('pii', 'moderate'));
    assert.equal(await privacyIn(['/bank/high/'], 'masked'), privacy('bank', 'high', 'mask'));
    assert.is(await privacyIn(['/team/a/', '/pci/']), undefined);
  },
);

derived('given a tenant, then it has an owner and a type', async ({ service }) => {
  type Tenant = { id: string; owner_id: string; type: string };
  const key = { key: service.keys.management };
  const read = await service.call<Tenant>('GET', '/tenants/self', undefined, key);
  assert.equal([read.body.owner_id, read.body.type], [service.tenantId, 'test']);
  const put = await service.call<Tenant>('PUT', '/tenants/self', { name: 'test' }, key);
  assert.equal([put.body.owner_id, put.body.type], [service.tenantId, 'test']);
});

derived(
  'given an application, when it is updated without permissions and rules, then it keeps both',
  async ({ service }) => {
    type Application = { id: string; name: string; permissions: string[]; rules: object[] };
    const key = { key: service.keys.management };
    const rule = {
      description: '',
      priority: 1,
      container: '/pci/',
      transform: 'mask',
      permissions: ['token:read'],
    };
    const rights = { permissions: ['token:create'], rules: [rule] };
    const made = await service.call<Application>(
      'POST',
      '/applications',
      { name: 'one', type: 'private', ...rights },
      key,
    );
    const path = `/applications/${made.body.id}`;
    for (const absent of [{}, { permissions: null, rules: null }]) {
      const kept = await service.call<Application>('PUT', path, { name: 'two', ...absent }, key);
      const { name, permissions, rules } = kept.body;
      assert.equal([kept.status, name, { permissions, rules }], [200, 'two', rights]);
    }
    const replaced = await service.call<Application>(
      'PUT',
      path,
      { name: 'two', permissions: ['token:read'] },
      key,
    );
    assert.equal([replaced.body.permissions, replaced.body.rules], [['token:read'], []]);
    assert.is(
      (await service.call('PUT', path, { name: 'two', permissions: [], rules: [] }, key)).status,
      400,
    );
  },
);

derived('given a size of the log, then it may be 5,000, and that of other lists 100', async ({ service }) => {
  const key = { key: service.keys.management };
  assert.is((await service.call('GET', '/logs?size=5000', undefined, key)).status, 200);
  assert.is((await service.call('GET', '/logs?size=5001', undefined, key)).status, 400);
  assert.is((await service.call('GET', '/tokens?size=0')).status, 400);
  assert.is((await service.call('GET', '/tokens?size=101')).status, 400);
});

derived.run();
