import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };

let service: VaultService;
const requests = suite('audit: requests');

requests.before(async () => {
  service = await startVaultService();
});
requests.before.each(() => forget());
requests.after(() => service.close());

const forget = async (): Promise<void> => {
  await service.composition.pools.owner.query('truncate audit.entries');
};

type Row = Record<string, string | number | null>;

/** What requests left: entries of events come by themselves, a moment later. */
async function entries(): Promise<Row[]> {
  const { rows } = await service.composition.pools.owner.query<Row>(
    `select tenant_id, actor_type, actor_id, operation, entity_type, entity_id, outcome, status, detail, address,
       trace_id
     from audit.entries where event_id is null order by writer_id, sequence`,
  );
  return rows;
}

const brief = async (): Promise<unknown[][]> =>
  (await entries()).map((row) => [
    row['operation'],
    row['entity_type'],
    row['entity_id'],
    row['outcome'],
    row['status'],
    row['detail'],
  ]);

async function newToken(body: object = {}): Promise<string> {
  const reply = await service.call<{ id: string }>('POST', '/tokens', { type: 'card', data: card, ...body });
  assert.is(reply.status, 201);
  return reply.body.id;
}

requests('given a token, when it is read, then who, what, from where and how is there at once', async () => {
  const id = await newToken();
  const headers = { 'BT-TRACE-ID': '99999999-9999-4999-8999-999999999999' };
  await service.call('GET', `/tokens/${id}`, undefined, { headers });
  const [entry, ...others] = await entries();
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
  const id = await newToken();
  const key = await service.ruledKey({ container: '/', transform: 'reveal', permissions: ['token:read'] });
  await service.call('GET', `/tokens/${id}`, undefined, { key });
  await service.call('POST', '/detokenize', { card: `{{ ${id} }}` }, { key });
  const shown = ['read', 'token', id, 'succeeded', 200, 'reveal'];
  assert.equal(await brief(), [shown, shown]);
});

requests('given a list or a search, then every token in it leaves an entry', async () => {
  const ids = [await newToken(), await newToken(), await newToken()];
  const query = ids.map((id) => `id=${id}`).join('&');
  for (const call of [
    () => service.call('GET', `/tokens?${query}`),
    () => service.call('POST', '/tokens/search', { query: `id:${ids[0]}` }),
    () => service.call('GET', '/v2/tokens?size=3'),
    () => service.call('POST', '/v2/tokens/search', { query: `id:${ids[1]}` }),
  ]) {
    assert.is((await call()).status, 200);
  }
  const read = (await entries()).map((row) => row['entity_id']);
  const newestFirst = ids.toReversed();
  assert.equal(read, [...newestFirst, ids[0], ...newestFirst, ids[1]]);
});

requests('given a search that finds nothing, then it is written down all the same', async () => {
  await service.call('POST', '/tokens/search', { query: 'data:nothing' });
  assert.equal(await brief(), [['read', 'token', '', 'succeeded', 200, '']]);
});

requests('given refusals, then each is written down with its status', async () => {
  const id = await newToken({ containers: ['/secret/'] });
  const key = await service.ruledKey({ container: '/other/', permissions: ['token:read'] });
  await forget();
  const nowhere = '00000000-0000-4000-8000-000000000000';
  await service.call('GET', `/tokens/${id}`, undefined, { key });
  await service.call('GET', `/tokens/${nowhere}`);
  await service.call('DELETE', `/tokens/${id}`, undefined, { key: service.keys.public });
  await service.call('POST', '/tokens', { type: 'card', data: { number: '4242424242424241' } });
  await service.call('GET', `/applications/${nowhere}`);
  assert.equal(await brief(), [
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
  const [entry] = await entries();
  assert.equal(
    [entry?.['tenant_id'], entry?.['actor_type'], entry?.['actor_id'], entry?.['status'], entry?.['address']],
    [null, 'anonymous', '', 401, '127.0.0.1'],
  );
});

requests('given a card number where an id should be, then it is not in the log', async () => {
  await service.call('GET', '/tokens/4242424242424242');
  await service.call('GET', '/tokens/an%09id%0awith 5555555555554444');
  assert.equal(
    (await entries()).map((row) => [row['entity_id'], row['status']]),
    [
      ['', 404],
      ['', 404],
    ],
  );
});

requests(
  'given a token with an id of its own, when a request for it is refused, then it is named',
  async () => {
    const id = `named by a client ${Math.random()}`;
    await newToken({ id });
    const path = `/tokens/${encodeURIComponent(id)}`;
    await service.call('GET', path, undefined, { key: service.keys.public });
    await service.call('GET', `${path}/history`);
    await service.call('POST', '/tokens', { type: 'card', data: card, id });
    await service.call('DELETE', path);
    await service.call('GET', path);
    assert.equal(
      (await entries()).map((row) => [row['entity_id'], row['status']]),
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
    (await entries()).map((row) => [row['outcome'], row['status']]),
    [
      ['refused', 401],
      ['refused', 400],
      ['refused', 404],
    ],
  );
});

requests('given a change, then its event is audited, with the address of the client', async () => {
  const id = await newToken();
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
  assert.equal(await brief(), []);
});

requests('given an existing token that is answered instead of a new one, then it was read', async () => {
  const body = { type: 'token', data: 'only once', deduplicate_token: true };
  const id = await newToken(body);
  assert.is(await newToken(body), id);
  assert.equal(await brief(), [['read', 'token', id, 'succeeded', 201, 'mask']]);
});

requests('given an answer that is repeated for its idempotency key, then it was read again', async () => {
  const headers = { 'BT-IDEMPOTENCY-KEY': 'once' };
  const body = { type: 'token', data: 'abc' };
  const first = await service.call<{ id: string }>('POST', '/tokens', body, { headers });
  const second = await service.call<{ id: string }>('POST', '/tokens', body, { headers });
  assert.is(first.body.id, second.body.id);
  assert.equal(await brief(), [['read', 'token', first.body.id, 'succeeded', 201, 'mask']]);
});

requests('given an audit log that cannot be written, then nothing is shown: 503', async () => {
  const id = await newToken();
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
