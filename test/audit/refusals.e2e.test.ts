import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { brief, card, entries, forget, newToken } from '#test/audit/support/entries.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

let service: VaultService;
const requests = suite('audit: refusals');

requests.before(async () => {
  service = await startVaultService();
});
requests.before.each(() => forget(service));
requests.after(() => service.close());

requests('given refusals, then each is written down with its status', async () => {
  const id = await newToken(service, { containers: ['/secret/'] });
  const key = await service.ruledKey({ container: '/other/', permissions: ['token:read'] });
  await forget(service);
  const nowhere = '00000000-0000-4000-8000-000000000000';
  await service.call('GET', `/tokens/${id}`, undefined, { key });
  await service.call('GET', `/tokens/${nowhere}`);
  await service.call('DELETE', `/tokens/${id}`, undefined, { key: service.keys.public });
  await service.call('POST', '/tokens', { type: 'card', data: { number: '4242424242424241' } });
  await service.call('GET', `/applications/${nowhere}`);
  assert.equal(await brief(service), [
    ['read', 'token', id, 'refused', 403, ''],
    ['read', 'token', nowhere, 'refused', 404, ''],
    ['delete', 'token', id, 'refused', 403, ''],
    ['create', 'token', '', 'refused', 400, ''],
    ['read', 'application', nowhere, 'refused', 403, ''],
  ]);
});

requests('given a key that opens nothing, then the attempt is written down as nobody’s', async () => {
  const { status } = await service.call('GET', '/tokens', undefined, { key: 'key_dev_private_wrong' });
  assert.is(status, 401);
  const [entry] = await entries(service);
  assert.equal(
    [entry?.['tenant_id'], entry?.['actor_type'], entry?.['actor_id'], entry?.['status'], entry?.['address']],
    [null, 'anonymous', '', 401, '127.0.0.1'],
  );
});

requests('given a card number where an id should be, then it is not in the log', async () => {
  await service.call('GET', '/tokens/4242424242424242');
  await service.call('GET', '/tokens/an%09id%0awith 5555555555554444');
  assert.equal(
    (await entries(service)).map((row) => [row['entity_id'], row['status']]),
    [
      ['', 404],
      ['', 404],
    ],
  );
});

requests(
  'given a token with an id of its own, when a request for it is refused, then it is named',
  async () => {
    const id = 'named by a client';
    await newToken(service, { id });
    const path = `/tokens/${encodeURIComponent(id)}`;
    await service.call('GET', path, undefined, { key: service.keys.public });
    await service.call('GET', `${path}/history`);
    await service.call('POST', '/tokens', { type: 'card', data: card, id });
    await service.call('DELETE', path);
    await service.call('GET', path);
    assert.equal(
      (await entries(service)).map((row) => [row['entity_id'], row['status']]),
      [
        [id, 403],
        [id, 403],
        [id, 409],
        [id, 404],
      ],
    );
  },
);

requests('given a refusal where nothing of a tenant is shown, then it is written down too', async () => {
  await service.call('GET', '/permissions', undefined, { key: 'key_dev_private_wrong' });
  await service.call('GET', '/permissions?application_type=foo');
  await service.call('GET', '/application-templates/none');
  assert.equal(
    (await entries(service)).map((row) => [row['outcome'], row['status']]),
    [
      ['refused', 401],
      ['refused', 400],
      ['refused', 404],
    ],
  );
});

requests('given an id for a token that is refused, then it is not in the log', async () => {
  const key = await service.ruledKey({ container: '/a/', permissions: ['token:create'] });
  await forget(service);
  const reply = await service.call(
    'POST',
    '/tokens',
    { id: 'my password', type: 'token', data: 'x' },
    { key },
  );
  assert.is(reply.status, 403);
  assert.equal(await brief(service), [['create', 'token', '', 'refused', 403, '']]);
});

requests.run();
