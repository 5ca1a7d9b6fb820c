import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Token = Record<string, unknown> & { id: string; data?: unknown; errors?: Record<string, string[]> };
type List = { pagination: Record<string, number>; data: Token[] };

const tokens = suite<{ service: VaultService }>('tokens');

tokens.before(async (context) => {
  context.service = await startVaultService();
});

tokens.after(({ service }) => service.close());

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };

const create = async (service: VaultService, body: object): Promise<Token> => {
  const reply = await service.call<Token>('POST', '/tokens', body);
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};

tokens(
  'given a card, when it is created, then its answer is masked and has the defaults of its type',
  async ({ service }) => {
    const token = await create(service, { type: 'card', data: card });
    assert.match(token.id, /^[0-9a-f-]{36}$/);
    assert.equal(token.data, { number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2030 });
    assert.equal(token['containers'], ['/pci/high/']);
    assert.is(token['fingerprint_expression'], '{{ data.number }}');
    assert.is(token['tenant_id'], service.tenantId);
    assert.not.ok('expires_at' in token || 'modified_at' in token || 'metadata' in token);
  },
);

tokens(
  'given a bank account and a plain token, when they are created, then each has its own defaults',
  async ({ service }) => {
    const bank = await create(service, {
      type: 'bank',
      data: { routing_number: '021000021', account_number: '1234567890' },
    });
    assert.equal(bank.data, { routing_number: '021000021', account_number: 'XXXXXX7890' });
    assert.equal(bank['containers'], ['/bank/high/']);
    const plain = await create(service, { type: 'token', data: [1, { a: null }] });
    assert.not.ok('data' in plain);
    assert.equal(plain['containers'], ['/general/high/']);
  },
);

tokens(
  'given equal contents, when they are stored twice, then the fingerprints are equal, and others are not',
  async ({ service }) => {
    const fingerprints = [
      await create(service, { type: 'card', data: card }),
      await create(service, { type: 'card', data: { number: card.number } }),
      await create(service, { type: 'card', data: { number: '5555555555554444' } }),
      await create(service, { type: 'token', data: card.number }),
    ].map((token) => token['fingerprint']);
    assert.is(fingerprints[0], fingerprints[1]);
    assert.is(new Set(fingerprints).size, 3);
  },
);

tokens(
  'given tokens with metadata, when they are listed, then filters ignore case and are joined by and',
  async ({ service }) => {
    const both = await create(service, {
      type: 'token',
      data: 1,
      metadata: { Color: 'Deep Red', size: 'L' },
    });
    await create(service, { type: 'token', data: 2, metadata: { Color: 'deep red', size: 'M' } });
    const list = async (query: string): Promise<Token[]> =>
      (await service.call<List>('GET', `/tokens?${query}`)).body.data;
    assert.is((await list('metadata.Color=DEEP+RED')).length, 2);
    assert.equal(
      (await list('metadata.Color=deep%20red&metadata.size=l')).map(({ id }) => id),
      [both.id],
    );
    assert.equal(
      (await list('metadata.size=l&metadata.size=m')).map(({ id }) => id),
      [both.id],
    );
    assert.equal(
      (await list(`metadata=${encodeURIComponent('{"size":"L"}')}`)).map(({ id }) => id),
      [both.id],
    );
    assert.is((await list('metadata.color=deep+red')).length, 0);
  },
);

tokens(
  'given many tokens, when they are paged through, then each comes once, newest first',
  async ({ service }) => {
    const metadata = { run: 'paging' };
    const made: string[] = [];
    for (let index = 0; index < 7; index++) {
      made.push((await create(service, { type: 'token', data: index, metadata })).id);
    }
    const page = async (number: number) =>
      (await service.call<List>('GET', `/tokens?metadata.run=paging&size=3&page=${number}`)).body;
    const pages = [await page(1), await page(2), await page(3), await page(4)];
    assert.equal(
      pages.flatMap(({ data }) => data.map(({ id }) => id)),
      made.reverse(),
    );
    assert.equal(pages[2]?.pagination, { total_items: 7, page_number: 3, page_size: 3, total_pages: 3 });
    const [first, second] = made;
    const byId = await service.call<List>('GET', `/tokens?id=${first}&id=${second}&id=nobody`);
    assert.equal(
      byId.body.data.map(({ id }) => id),
      [first, second],
    );
  },
);

tokens(
  'given a token, when it is patched, then what is named changes and what is null goes',
  async ({ service }) => {
    const { id } = await create(service, {
      type: 'token',
      data: { keep: 1, drop: 2, deep: { a: 1, b: 2 } },
      mask: '{{ data | stringify }}',
      metadata: { a: '1', b: '2' },
      containers: ['/one/'],
    });
    const patched = await service.call<Token>('PATCH', `/tokens/${id}`, {
      data: { drop: null, deep: { b: 3 } },
      metadata: { a: null, c: '3' },
      containers: ['/TWO/'],
    });
    assert.is(patched.status, 200);
    assert.is(patched.body.data, '{"keep":1,"deep":{"a":1,"b":3}}');
    assert.equal(patched.body['metadata'], { b: '2', c: '3' });
    assert.equal(patched.body['containers'], ['/two/']);
    assert.ok(patched.body['modified_at'] && patched.body['modified_by']);
    const wrongType = await service.call(
      'PATCH',
      `/tokens/${id}`,
      { data: 1 },
      { contentType: 'application/json' },
    );
    assert.is(wrongType.status, 415);
  },
);

tokens(
  'given a card, when a patch makes it invalid, then 400 names the path and nothing changes',
  async ({ service }) => {
    const { id } = await create(service, { type: 'card', data: card });
    const refused = await service.call<Token>('PATCH', `/tokens/${id}`, {
      data: { number: '4242424242424241' },
    });
    assert.is(refused.status, 400);
    assert.equal(Object.keys(refused.body.errors ?? {}), ['data.number']);
    const read = await service.call<Token>('GET', `/tokens/${id}`);
    assert.equal(read.body.data, { number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2030 });
  },
);

tokens('given two updates at once, when both are done, then no field is lost', async ({ service }) => {
  const { id } = await create(service, { type: 'token', data: {}, mask: '{{ data | stringify }}' });
  const replies = await Promise.all(
    Array.from({ length: 3 }, (_, index) =>
      service.call('PATCH', `/tokens/${id}`, { data: { [`f${index}`]: index } }),
    ),
  );
  assert.equal(
    replies.map(({ status }) => status),
    [200, 200, 200],
  );
  const { body } = await service.call<Token>('GET', `/tokens/${id}`);
  assert.equal(JSON.parse(String(body.data)), { f0: 0, f1: 1, f2: 2 });
});

tokens(
  'given a deleted token, when it is read, changed or its id is used again, then 404, 404 and 409',
  async ({ service }) => {
    const { id } = await create(service, { type: 'token', data: 1, id: 'used once' });
    const path = `/tokens/${encodeURIComponent(id)}`;
    assert.is((await service.call('DELETE', path)).status, 204);
    assert.is((await service.call('GET', path)).status, 404);
    assert.is((await service.call('PATCH', path, { data: 2 })).status, 404);
    assert.is((await service.call('POST', '/tokens', { type: 'token', data: 1, id })).status, 409);
  },
);

tokens(
  'given the worked example of access rules, when tokens are listed, then each is shown by its own rule',
  async ({ service }) => {
    const read = { permissions: ['token:read'] };
    const key = await service.ruledKey(
      { container: '/', transform: 'mask', permissions: ['token:create'] },
      { container: '/users/government/', transform: 'redact', ...read },
      { container: '/users/employees/', transform: 'reveal', ...read },
      { container: '/users/', transform: 'mask', ...read },
    );
    const made: Record<string, string> = {};
    for (const name of ['/users/government/', '/users/employees/', '/users/jedis/', '/bounty-hunters/']) {
      const body = {
        type: 'token',
        data: { name },
        mask: { name: 'masked' },
        containers: [name],
        metadata: { example: 'yes' },
      };
      const reply = await service.call<Token>('POST', '/tokens', body, { key });
      assert.is(reply.status, 201);
      made[name] = reply.body.id;
    }
    const list = await service.call<List>('GET', '/tokens?metadata.example=yes', undefined, { key });
    assert.is(list.body.pagination['total_items'], 3);
    const shown = Object.fromEntries(
      list.body.data.map((token) => [String(token['containers']), token.data]),
    );
    assert.equal(shown, {
      '/users/government/': undefined,
      '/users/employees/': { name: '/users/employees/' },
      '/users/jedis/': { name: 'masked' },
    });
    const outside = await service.call('GET', `/tokens/${made['/bounty-hunters/']}`, undefined, { key });
    assert.is(outside.status, 403);
    assert.is(
      (await service.call('DELETE', `/tokens/${made['/users/jedis/']}`, undefined, { key })).status,
      403,
    );
  },
);

tokens(
  'given a token of another tenant, when it is asked for, then it does not exist',
  async ({ service }) => {
    const other = await startVaultService();
    const { id } = await create(other, { type: 'token', data: 1 });
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { data: 2 }],
      ['DELETE', undefined],
    ] as const) {
      assert.is((await service.call(method, `/tokens/${id}`, body)).status, 404);
    }
    await other.close();
  },
);

tokens(
  'given an alias expression, when a card is created, then its id is an alias and not a card number',
  async ({ service }) => {
    const token = await create(service, {
      type: 'card',
      data: card,
      id: '{{ data.number | alias_card: false, true }}',
    });
    assert.match(token.id, /^\d{12}4242$/);
    assert.is.not(token.id, card.number);
  },
);

tokens.run();
