import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const ids = suite<{ service: VaultService }>('http: ids in capitals');

ids.before(async (context) => {
  context.service = await startVaultService();
});
ids.after(({ service }) => service.close());

type Made = { id: string; application?: { id: string } };

ids('given a uuid in capitals, then it is the same as in small letters', async ({ service }) => {
  const key = { key: service.keys.management };
  const make = async (path: string, body: object): Promise<string> => {
    const made = await service.call<Made>('POST', path, body, key);
    assert.is(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  };
  const code = 'module.exports = async () => ({ raw: 1 });';
  const application = await make('/applications', {
    name: 'a',
    type: 'private',
    permissions: ['token:create'],
  });
  const reactor = await make('/reactors', {
    name: 'r',
    code,
    application: { id: application.toUpperCase() },
  });
  const proxy = await make('/proxies', {
    name: 'p',
    destination_url: 'https://example.com',
    request_reactor_id: reactor.toUpperCase(),
    application: { id: application.toUpperCase() },
  });
  const patch = { request_reactor_id: reactor.toUpperCase() };
  assert.is((await service.call('PATCH', `/proxies/${proxy.toUpperCase()}`, patch, key)).status, 204);
  const read = await service.call<object>('GET', `/proxies/${proxy.toUpperCase()}`, undefined, key);
  assert.equal(
    [Reflect.get(read.body, 'request_reactor_id'), Reflect.get(read.body, 'application_id')],
    [reactor, application],
  );
  const path = `/reactors/${reactor.toUpperCase()}`;
  assert.is((await service.call('POST', `${path}/react`, { args: {} })).status, 200);
  const lent = { application: { id: application.toUpperCase() } };
  assert.is((await service.call('PATCH', path, { name: 's', ...lent }, key)).status, 204);
  const shown = await service.call<Made>('GET', path, undefined, key);
  assert.equal([shown.body.id, shown.body.application?.id], [reactor, application]);
  for (const one of [`/proxies/${proxy}`, `/reactors/${reactor}`, `/applications/${application}`]) {
    const capitals = one.replace(/[^/]+$/, (id) => id.toUpperCase());
    assert.is((await service.call('GET', capitals, undefined, key)).status, 200, one);
    assert.is((await service.call('DELETE', capitals, undefined, key)).status, 204, one);
    assert.is((await service.call('GET', one, undefined, key)).status, 404, one);
  }
});

ids('given ids of tokens, then capitals make another', async ({ service }) => {
  const id = 'abcdefab-cdef-4bcd-8fab-cdefabcdefab';
  assert.is((await service.call('POST', '/tokens', { id, type: 'token', data: 'x' })).status, 201);
  assert.is((await service.call('GET', `/tokens/${id.toUpperCase()}`)).status, 404);
});

ids.run();
