import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = { id: string; containers: string[]; mask?: unknown; data?: unknown; privacy?: object };
type Problem = { errors: Record<string, string[]> };
type Context = {
  service: VaultService;
  /** With a key that may see everything. */
  ask<Body = Token>(method: string, path: string, body?: object): Promise<Reply<Body>>;
};

const privacy = suite<Context>('tokens: the privacy that older clients write');

privacy.before(async (context) => {
  context.service = await startVaultService();
  const key = await context.service.ruledKey({
    container: '/',
    transform: 'reveal',
    permissions: ['token:create', 'token:read', 'token:update'],
  });
  context.ask = (method, path, body) => context.service.call(method, path, body, { key });
});
privacy.after(({ service }) => service.close());

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2035 };
const plain = { type: 'token', data: 'x' };

privacy('given a privacy without containers, then the container is what it says', async ({ ask }) => {
  for (const [token, given, container] of [
    [plain, { classification: 'pci', impact_level: 'low' }, '/pci/low/'],
    [plain, { classification: 'pii' }, '/pii/high/'],
    [plain, { impact_level: 'moderate' }, '/general/moderate/'],
    [{ type: 'card', data: card }, { impact_level: 'low' }, '/pci/low/'],
    [plain, { classification: null, impact_level: '' }, '/general/high/'],
    [plain, {}, '/general/high/'],
    [plain, null, '/general/high/'],
  ] as const) {
    for (const containers of [undefined, null, []]) {
      const made = await ask('POST', '/tokens', { ...token, privacy: given, containers });
      assert.equal([made.status, made.body.containers], [201, [container]], JSON.stringify(made.body));
    }
    const { body } = await ask<{ of: Token }>('POST', '/tokenize', { of: { ...token, privacy: given } });
    assert.equal(body.of.containers, [container]);
  }
});

privacy('given the policy to redact, then nobody who sees masks sees data', async ({ service, ask }) => {
  const policy = { restriction_policy: 'redact' };
  const made = await ask('POST', '/tokens', { type: 'card', data: card, privacy: policy });
  assert.equal([made.status, 'mask' in made.body], [201, false]);
  assert.not.ok('data' in (await service.call<Token>('GET', `/tokens/${made.body.id}`)).body);
  const masked = await ask('POST', '/tokens', { type: 'card', data: card });
  const changed = await ask('PATCH', `/tokens/${masked.body.id}`, { privacy: policy });
  assert.equal([changed.status, 'mask' in changed.body], [200, false]);
  assert.not.ok('data' in (await service.call<Token>('GET', `/tokens/${masked.body.id}`)).body);
  for (const [method, path] of [
    ['POST', '/tokens'],
    ['PATCH', `/tokens/${made.body.id}`],
  ] as const) {
    const body = { ...(method === 'POST' ? plain : {}), mask: 'm', privacy: policy };
    const refused = await ask<Problem>(method, path, body);
    assert.equal([refused.status, Object.keys(refused.body.errors)], [400, ['privacy.restriction_policy']]);
  }
});

privacy(
  'given a privacy that contradicts the containers, or is none, then 400 names the member',
  async ({ ask }) => {
    const faultsOf = async (method: string, path: string, body: object): Promise<string[]> => {
      const { status, body: problem } = await ask<Problem>(method, path, body);
      assert.is(status, 400, JSON.stringify(problem));
      return Object.keys(problem.errors);
    };
    const { id } = (await ask('POST', '/tokens', plain)).body;
    for (const [given, faults] of [
      [{ containers: ['/pci/high/'], privacy: { impact_level: 'low' } }, ['impact_level']],
      [{ containers: ['/PCI/high/'], privacy: { classification: 'bank' } }, ['classification']],
      [{ containers: ['/team/a/'], privacy: { classification: 'pci' } }, ['classification']],
      [{ privacy: { classification: 'secret' } }, ['classification']],
      [{ privacy: { impact_level: 7 } }, ['impact_level']],
      [{ privacy: { restriction_policy: 'hide' } }, ['restriction_policy']],
      [{ privacy: { impact: 'low' } }, ['impact']],
    ] as const) {
      const paths = faults.map((name) => `privacy.${name}`);
      assert.equal(await faultsOf('POST', '/tokens', { ...plain, ...given }), paths);
      assert.equal(await faultsOf('PATCH', `/tokens/${id}`, given), paths);
      const under = paths.map((path) => `of.${path}`);
      assert.equal(await faultsOf('POST', '/tokenize', { of: { ...plain, ...given } }), under);
    }
    assert.equal(await faultsOf('POST', '/tokens', { ...plain, privacy: 'pci' }), ['privacy']);
  },
);

privacy('given a patch with a privacy, then the token moves, or 400 says why not', async ({ ask }) => {
  const create = async (containers?: string[]): Promise<string> =>
    `/tokens/${(await ask('POST', '/tokens', { ...plain, containers })).body.id}`;
  const path = await create();
  const moved = await ask('PATCH', path, { privacy: { impact_level: 'low' } });
  assert.equal([moved.status, moved.body.containers], [200, ['/general/low/']]);
  const again = await ask('PATCH', path, { privacy: { classification: 'pii' } });
  assert.equal(again.body.containers, ['/pii/low/']);
  const read = (await ask('GET', path)).body;
  const same = await ask('PATCH', path, { privacy: read.privacy, metadata: { a: 'b' } });
  assert.equal([same.status, same.body.containers], [200, ['/pii/low/']]);
  const fromDefault = await ask('PATCH', path, { containers: null, privacy: { impact_level: 'moderate' } });
  assert.equal(fromDefault.body.containers, ['/general/moderate/']);
  for (const containers of [['/team/a/'], ['/pci/low/of-mine/'], ['/pci/low/', '/team/a/']]) {
    const own = await create(containers);
    const refused = await ask<Problem>('PATCH', own, { privacy: { impact_level: 'high' } });
    assert.equal([refused.status, Object.keys(refused.body.errors)], [400, ['privacy.impact_level']]);
    const { body } = await ask('GET', own);
    assert.equal(body.containers, containers);
    assert.is((await ask('PATCH', own, { privacy: body.privacy ?? {} })).status, 200);
  }
});

privacy(
  'given a caller that may not write to the container of a privacy, then 403',
  async ({ service, ask }) => {
    const narrow = { container: '/general/', permissions: ['token:create', 'token:update'] };
    const key = { key: await service.ruledKey({ ...narrow, transform: 'redact' }) };
    const given = { privacy: { classification: 'pci' } };
    assert.is((await service.call('POST', '/tokens', { ...plain, ...given }, key)).status, 403);
    const { id } = (await ask('POST', '/tokens', plain)).body;
    assert.is((await service.call('PATCH', `/tokens/${id}`, given, key)).status, 403);
  },
);

privacy.run();
