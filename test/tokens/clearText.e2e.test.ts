import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = { id: string; errors: Record<string, string[]> };

const number = '4165330609013663';
const ssn = '123-45-6789';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

let service: VaultService;
const clearText = suite('card numbers in what is kept in clear');

clearText.before(async () => {
  service = await startVaultService();
});
clearText.after(() => service.close());

const attributes: [object, string][] = [
  [{ metadata: { a: number } }, 'metadata.a'],
  [{ metadata: { a: [...number].reverse().join('') } }, 'metadata.a'],
  [{ metadata: { [number]: 'a' } }, 'metadata'],
  [{ containers: [`/${number}/`] }, 'containers[0]'],
  [{ mask: { a: ['x', number] } }, 'mask'],
  [{ mask: { a: Number(number) } }, 'mask'],
  [{ mask: `{{ data | append: '${number}' }}` }, 'mask'],
  [{ fingerprint_expression: `{{ data }}${number}` }, 'fingerprint_expression'],
  [{ search_indexes: ['{{ data }}', base64(number)] }, 'search_indexes[1]'],
];
const at = (reply: Reply<Token>): [number, string[]] => [reply.status, Object.keys(reply.body.errors ?? {})];
const body = { type: 'token', data: 'x', containers: ['/a/'] };

for (const [attribute, path] of attributes) {
  clearText(`given ${JSON.stringify(attribute)}, then 400 names ${path}, on every way in`, async () => {
    const key = await service.ruledKey({
      container: '/',
      transform: 'reveal',
      permissions: ['token:read', 'token:update'],
    });
    const made = await service.call<Token>('POST', '/tokens', body);
    const bad = { ...body, ...attribute };
    assert.equal(at(await service.call<Token>('POST', '/tokens', bad)), [400, [path]]);
    assert.equal(at(await service.call<Token>('POST', '/tokenize', { a: bad })), [400, [`a.${path}`]]);
    const patched = await service.call<Token>('PATCH', `/tokens/${made.body.id}`, attribute, { key });
    assert.equal(at(patched), [400, [path]]);
    if (path.includes(number)) assert.unreachable();
  });
}

clearText(
  "given the token's own secret, then it is refused, except of data that the caller may not see",
  async () => {
    const token = { type: 'social_security_number', data: ssn };
    const post = (more: object): Promise<Reply<Token>> =>
      service.call<Token>('POST', '/tokens', { ...token, ...more });
    for (const hidden of ['123456789', `no. ${ssn}`, '987654321', base64(ssn)]) {
      assert.equal(at(await post({ metadata: { a: hidden } })), [400, ['metadata.a']]);
      assert.is((await post({ id: `id-${hidden}` })).status, 400);
    }
    const { id } = (await post({ metadata: { a: '123-45-678' } })).body;
    const patch = (change: object, key: string): Promise<Reply<Token>> =>
      service.call<Token>('PATCH', `/tokens/${id}`, change, { key });
    const change = { metadata: { a: ssn } };
    const key = await service.ruledKey({
      container: '/',
      transform: 'reveal',
      permissions: ['token:read', 'token:update'],
    });
    assert.is((await patch(change, key)).status, 400);
    assert.is((await patch({ ...change, data: ssn }, service.keys.public)).status, 400);
    assert.is((await patch(change, service.keys.public)).status, 200);
    assert.is((await patch({ metadata: { b: 'c' } }, key)).status, 200);
  },
);

clearText('given a tenant that lets metadata off, then metadata alone is taken', async () => {
  const keys = await service.anotherTenant();
  const settings = { name: 'lets', settings: { card_numbers_in_metadata: 'true' } };
  const set = await service.call('PUT', '/tenants/self', settings, { key: keys.management });
  assert.is(set.status, 200);
  const options = { key: keys.private };
  const metadata = { a: number };
  assert.is((await service.call('POST', '/tokens', { ...body, metadata }, options)).status, 201);
  assert.is((await service.call('POST', '/tokens', { ...body, mask: number }, options)).status, 400);
});

clearText('given the configuration of a proxy, then it holds no card number', async () => {
  const proxy = { name: 'p', destination_url: 'https://example.com', configuration: { a: `x ${number}` } };
  const options = { key: service.keys.management };
  assert.equal(at(await service.call<Token>('POST', '/proxies', proxy, options)), [400, ['configuration.a']]);
  const made = await service.call<Token>(
    'POST',
    '/proxies',
    { ...proxy, configuration: { a: 'b' } },
    options,
  );
  assert.is(made.status, 201, JSON.stringify(made.body));
  const patch = { configuration: { c: number } };
  const patched = await service.call<Token>('PATCH', `/proxies/${made.body.id}`, patch, options);
  assert.equal(at(patched), [400, ['configuration.c']]);
});

clearText.run();
