import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { brief, card, entries, forget, newToken } from '#test/audit/support/entries.ts';
import type { Row } from '#test/audit/support/entries.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

let service: VaultService;
const requests = suite('audit: requests');

requests.before(async () => {
  service = await startVaultService();
});
requests.before.each(() => forget(service));
requests.after(() => service.close());

requests('given a token, when it is read, then who, what, from where and how is there at once', async () => {
  const id = await newToken(service);
  const headers = { 'BT-TRACE-ID': '99999999-9999-4999-8999-999999999999' };
  await service.call('GET', `/tokens/${id}`, undefined, { headers });
  const [entry, ...others] = await entries(service);
  assert.equal(others, []);
  assert.match(String(entry?.['actor_id']), /^[0-9a-f-]{36}$/);
  assert.equal(entry, {
    tenant_id: service.tenantId,
    actor_type: 'application',
    actor_id: entry?.['actor_id'],
    operation: 'read',
    entity_type: 'token',
    entity_id: id,
    outcome: 'succeeded',
    status: 200,
    detail: 'mask',
    address: '127.0.0.1',
    trace_id: headers['BT-TRACE-ID'],
  });
});

requests('given a rule that reveals, then the entry says that plaintext was shown', async () => {
  const id = await newToken(service);
  const key = await service.ruledKey({ container: '/', transform: 'reveal', permissions: ['token:read'] });
  await service.call('GET', `/tokens/${id}`, undefined, { key });
  await service.call('POST', '/detokenize', { card: `{{ ${id} }}` }, { key });
  const shown = ['read', 'token', id, 'succeeded', 200, 'reveal'];
  assert.equal(await brief(service), [shown, shown]);
});

requests('given a list or a search, then every token in it leaves an entry', async () => {
  const ids = [await newToken(service), await newToken(service), await newToken(service)];
  const query = ids.map((id) => `id=${id}`).join('&');
  for (const call of [
    () => service.call('GET', `/tokens?${query}`),
    () => service.call('POST', '/tokens/search', { query: `id:${ids[0]}` }),
    () => service.call('GET', '/v2/tokens?size=3'),
    () => service.call('POST', '/v2/tokens/search', { query: `id:${ids[1]}` }),
  ]) {
    assert.is((await call()).status, 200);
  }
  const read = (await entries(service)).map((row) => row['entity_id']);
  const newestFirst = ids.toReversed();
  assert.equal(read, [...newestFirst, ids[0], ...newestFirst, ids[1]]);
});

requests('given a search that finds nothing, then it is written down all the same', async () => {
  await service.call('POST', '/tokens/search', { query: 'data:nothing' });
  assert.equal(await brief(service), [['read', 'token', '', 'succeeded', 200, '']]);
});

requests('given a change, then its event is audited, with the address of the client', async () => {
  const id = await newToken(service);
  const { owner } = service.composition.pools;
  const found = await until(async () => {
    const { rows } = await owner.query<Row>(
      `select operation, entity_type, detail, outcome, address, length(key_id) as key, length(event_digest) as digest
       from audit.entries where entity_id = $1 and event_id is not null`,
      [id],
    );
    return rows[0];
  });
  assert.equal(found, {
    operation: 'create',
    entity_type: 'token',
    detail: 'token.created',
    outcome: 'succeeded',
    address: '127.0.0.1',
    key: 36,
    digest: 64,
  });
  assert.equal(await brief(service), []);
});

requests('given an existing token that is answered instead of a new one, then it was read', async () => {
  const body = { type: 'token', data: 'only once', deduplicate_token: true };
  const id = await newToken(service, body);
  assert.is(await newToken(service, body), id);
  assert.equal(await brief(service), [['read', 'token', id, 'succeeded', 201, 'mask']]);
});

requests('given an answer that is repeated for its idempotency key, then it was read again', async () => {
  const headers = { 'BT-IDEMPOTENCY-KEY': 'once' };
  const body = { type: 'token', data: 'abc' };
  const first = await service.call<{ id: string }>('POST', '/tokens', body, { headers });
  const second = await service.call<{ id: string }>('POST', '/tokens', body, { headers });
  assert.is(first.body.id, second.body.id);
  assert.equal(await brief(service), [['read', 'token', first.body.id, 'succeeded', 201, 'mask']]);
});

requests(
  'given an answer that is not kept, when its request is repeated, then what it shows was read',
  async () => {
    const headers = { 'BT-IDEMPOTENCY-KEY': 'not kept' };
    const body = { type: 'card', data: card, mask: { code: '{{ data.cvc }}' } };
    const first = await service.call<{ id: string }>('POST', '/tokens', body, { headers });
    assert.equal(await brief(service), []);
    await service.call('POST', '/tokens', body, { headers });
    assert.equal(await brief(service), [['read', 'token', first.body.id, 'succeeded', 201, 'mask']]);
  },
);

requests('given an audit log that cannot be written, then nothing is shown: 503', async () => {
  const id = await newToken(service);
  const { owner } = service.composition.pools;
  await owner.query('alter table audit.entries rename to hidden');
  try {
    const read = await service.call<{ data?: object; detail: string }>('GET', `/tokens/${id}`);
    assert.is(read.status, 503);
    assert.is(read.body.data, undefined);
    assert.match(read.body.detail, /audit log/);
    const refused = await service.call('GET', '/tokens/none');
    assert.is(refused.status, 503);
  } finally {
    await owner.query('alter table audit.hidden rename to entries');
  }
  assert.is((await service.call('GET', `/tokens/${id}`)).status, 200);
});

requests.run();
