import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = Record<string, unknown> & { id: string; errors?: Record<string, string[]> };

const attributes = suite<{ service: VaultService; revealing: string }>('attributes of tokens');

attributes.before(async (context) => {
  context.service = await startVaultService();
  const permissions = ['token:read'];
  context.revealing = await context.service.ruledKey({ container: '/', transform: 'reveal', permissions });
});
attributes.after(({ service }) => service.close());

const create = async (service: VaultService, body: object): Promise<Token> => {
  const reply = await service.call<Token>('POST', '/tokens', { type: 'token', data: 'x', ...body });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};
const patch = (service: VaultService, { id }: Token, body: object, key?: string): Promise<Reply<Token>> =>
  service.call<Token>('PATCH', `/tokens/${id}`, body, key === undefined ? {} : { key });
const found = async (service: VaultService, query: string): Promise<number> => {
  const reply = await service.call<{ data: unknown[] }>('POST', '/tokens/search', { query });
  return reply.body.data.length;
};

attributes(
  'given members with names that every object has, then they are later members like others',
  async ({ service }) => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const member = JSON.parse(`{${JSON.stringify(name)}: {"a": 1}}`) as object;
      const token = await create(service, member);
      const { status, body } = await patch(service, token, member);
      assert.is(status, 200, `${name}: ${JSON.stringify(body)}`);
    }
  },
);

attributes(
  'given every attribute, when a token is created, then each is answered as it is kept',
  async ({ service }) => {
    const given = {
      id: 'all attributes',
      type: 'token',
      data: { name: 'Leia', list: [1, 2], on: true },
      mask: { name: '{{ data.name | slice: 0 }}.', fixed: 7 },
      containers: ['/Users/Leia/', '/users/leia/', '/rebels/'],
      metadata: { rank: 'general' },
      search_indexes: ['{{ data.name }}', '{{ data.name }}'],
      fingerprint_expression: '{{ data.name }} {{ metadata.rank }}',
      deduplicate_token: null,
      expires_at: '8/26/2045 7:23:57 PM -07:00',
    };
    const key = await service.ruledKey({
      container: '/',
      transform: 'reveal',
      permissions: ['token:create'],
    });
    const created = await service.call<Token>('POST', '/tokens', given, { key });
    const { tenant_id, created_by, created_at, fingerprint, ...token } = created.body;
    assert.equal(token, {
      id: 'all attributes',
      type: 'token',
      data: { name: 'L.', fixed: 7 },
      mask: given.mask,
      containers: ['/users/leia/', '/rebels/'],
      metadata: given.metadata,
      search_indexes: ['{{ data.name }}'],
      fingerprint_expression: given.fingerprint_expression,
      expires_at: '2045-08-26T19:23:57-07:00',
    });
    assert.is(tenant_id, service.tenantId);
    assert.match(String(fingerprint), /^[1-9A-HJ-NP-Za-km-z]{43,44}$/);
    assert.match(String(created_by), /^[0-9a-f-]{36}$/);
    assert.ok(Math.abs(Date.parse(String(created_at)) - Date.now()) < 60_000);
  },
);

attributes(
  'given data of every kind, when it is stored, then it is read as it was',
  async ({ service, revealing }) => {
    const kinds = [
      '',
      'text',
      0,
      -1.5,
      true,
      false,
      [],
      [null, [1]],
      {},
      { a: { b: null }, ['__proto__']: 'kept' },
    ];
    for (const data of kinds) {
      const { id } = await create(service, { data });
      const read = await service.call<Token>('GET', `/tokens/${id}`, undefined, { key: revealing });
      assert.equal(JSON.stringify(read.body['data']), JSON.stringify(data));
    }
  },
);

attributes(
  'given the formats of an expiration time, then each is taken, and others name the path',
  async ({ service }) => {
    for (const [given, kept] of [
      ['8/26/2045 7:23:57 PM -07:00', '2045-08-26T19:23:57-07:00'],
      ['8/26/2045 7:23:57 AM', '2045-08-26T07:23:57+00:00'],
      ['9/27/2045', '2045-09-27T00:00:00+00:00'],
      ['2045-04-23T13:24:28Z', '2045-04-23T13:24:28+00:00'],
    ] as const) {
      assert.is((await create(service, { expires_at: given }))['expires_at'], kept);
    }
    for (const expires_at of ['tomorrow', '13/40/2045', '1/1/2020', 5]) {
      const refused = await service.call<Token>('POST', '/tokens', { type: 'token', data: 1, expires_at });
      assert.equal([refused.status, Object.keys(refused.body.errors ?? {})], [400, ['expires_at']]);
    }
  },
);

attributes('given wrong attributes, then 400 names the path of each', async ({ service }) => {
  for (const [body, path] of [
    [{ data: 1 }, 'type'],
    [{ type: 'token' }, 'data'],
    [{ type: 'token', data: null }, 'data'],
    [{ type: 'unheard_of', data: 1 }, 'type'],
    [{ type: 'token', data: 1, id: 'ab' }, 'id'],
    [{ type: 'token', data: 1, id: 'a/b' }, 'id'],
    [{ type: 'card_number', data: '4242424242424242', id: 'card 4242424242424242' }, 'id'],
    [{ type: 'token', data: 1, containers: ['/fine/', 'nowhere'] }, 'containers[1]'],
    [{ type: 'token', data: 1, metadata: { a: 1 } }, 'metadata.a'],
    [{ type: 'token', data: 1, search_indexes: ['{{ data.nothing }}'] }, 'search_indexes[0]'],
    [{ type: 'token', data: 1, search_indexes: ['{{ data | unknown }}'] }, 'search_indexes[0]'],
    [
      { type: 'token', data: 1, fingerprint_expression: "{{ data | json: '$..[' }}" },
      'fingerprint_expression',
    ],
    [
      { type: 'token', data: 'x', fingerprint_expression: '{{ data | to_number }}' },
      'fingerprint_expression',
    ],
    [{ type: 'token', data: 1, deduplicate_token: 'yes' }, 'deduplicate_token'],
    [{ type: 'card', data: { number: '4242424242424241' } }, 'data.number'],
    [{ type: 'card', data: { number: '4242424242424242', cvc: '12' } }, 'data.cvc'],
    [{ type: 'card', data: { number: '4242424242424242', expiration_month: 13 } }, 'data.expiration_month'],
    [{ type: 'bank', data: { routing_number: '021000022', account_number: '1' } }, 'data.routing_number'],
    [
      { type: 'bank', data: { routing_number: '021000021', account_number: '1'.repeat(18) } },
      'data.account_number',
    ],
  ] as const) {
    const refused = await service.call<Token>('POST', '/tokens', body);
    assert.equal(
      [refused.status, Object.keys(refused.body.errors ?? {})],
      [400, [path]],
      JSON.stringify(body),
    );
  }
});

attributes(
  'given attributes that are replaced, when a token is patched, then the old ones are gone',
  async ({ service }) => {
    const key = await service.ruledKey({
      container: '/',
      transform: 'reveal',
      permissions: ['token:read', 'token:update'],
    });
    const token = await create(service, {
      data: { first: 'replaced one', second: 'replaced two' },
      search_indexes: ['{{ data.first }}'],
      fingerprint_expression: '{{ data.first }}',
      expires_at: '9/27/2045',
      containers: ['/a/', '/b/'],
    });
    const change = {
      search_indexes: ['{{ data.second }}'],
      fingerprint_expression: '{{ data.second }}',
      expires_at: null,
      containers: ['/c/'],
    };
    const replaced = await patch(service, token, change, key);
    assert.is(replaced.status, 200);
    assert.equal(replaced.body['search_indexes'], ['{{ data.second }}']);
    assert.equal(replaced.body['containers'], ['/c/']);
    assert.is.not(replaced.body['fingerprint'], token['fingerprint']);
    assert.not.ok('expires_at' in replaced.body);
    assert.is(await found(service, 'data:"replaced one"'), 0);
    assert.is(await found(service, 'data:"replaced two"'), 1);
    const cleared = await patch(service, token, { search_indexes: null, containers: null }, key);
    assert.not.ok('search_indexes' in cleared.body);
    assert.equal(cleared.body['containers'], ['/general/high/']);
    assert.is(await found(service, 'data:"replaced two"'), 0);
  },
);

attributes(
  'given merge patches, then arrays are replaced, nulls remove, and null alone clears or is refused',
  async ({ service, revealing }) => {
    const token = await create(service, {
      data: { list: [1, 2], deep: { a: 1, b: { c: 2 } } },
      mask: { a: '{{ data.deep.a }}', b: 'shown' },
      metadata: { x: '1', y: '2' },
    });
    const merged = await patch(service, token, {
      data: { list: [3], deep: { b: null, d: 4 } },
      mask: { b: null },
      metadata: { x: null },
    });
    assert.equal(merged.body['data'], { a: 1 });
    assert.equal(merged.body['mask'], { a: '{{ data.deep.a }}' });
    assert.equal(merged.body['metadata'], { y: '2' });
    const read = await service.call<Token>('GET', `/tokens/${token.id}`, undefined, { key: revealing });
    assert.equal(read.body['data'], { list: [3], deep: { a: 1, d: 4 } });
    const cleared = await patch(service, token, { mask: null, metadata: null });
    assert.not.ok('mask' in cleared.body || 'metadata' in cleared.body || 'data' in cleared.body);
    assert.equal(Object.keys((await patch(service, token, { data: null })).body.errors ?? {}), ['data']);
    assert.is((await patch(service, token, { data: 'another kind' })).status, 200);
  },
);

attributes('given an empty patch, when it is sent, then nothing changes', async ({ service }) => {
  const { id } = await create(service, { metadata: { a: '1' }, mask: '{{ data }}' });
  const before = await service.call<Token>('GET', `/tokens/${id}`);
  const readOnly = await service.ruledKey({ container: '/', permissions: ['token:read'] });
  const elsewhere = await service.ruledKey({ container: '/a/', permissions: ['token:update'] });
  const headers = { 'BT-IDEMPOTENCY-KEY': 'an empty patch' };
  for (const patched of [
    await patch(service, { id }, {}),
    await service.call<Token>('PATCH', `/tokens/${id}`, {}, { headers }),
    await service.call<Token>('PATCH', `/tokens/${id}`, {}, { headers }),
  ]) {
    assert.equal([patched.status, patched.body], [200, before.body]);
  }
  const history = await service.call<{ data: unknown[] }>('GET', `/tokens/${id}/history`, undefined, {
    key: service.keys.management,
  });
  assert.is(history.body.data.length, 1);
  const log = `/logs?entity_type=token&entity_id=${id}`;
  const logged = await service.call<{ data: { operation: string }[] }>('GET', log, undefined, {
    key: service.keys.management,
  });
  assert.equal([...new Set(logged.body.data.map(({ operation }) => operation))].sort(), ['create', 'read']);
  assert.is((await patch(service, { id }, {}, readOnly)).status, 403);
  assert.is((await patch(service, { id }, {}, elsewhere)).status, 403);
  assert.is((await patch(service, { id: 'nobody' }, {})).status, 404);
  assert.ok((await patch(service, { id }, { metadata: { a: '1' } })).body['modified_at']);
});

attributes('given a change of containers, then both sides must be granted', async ({ service }) => {
  const rule = { transform: 'reveal', permissions: ['token:read', 'token:update'] };
  const onlyA = await service.ruledKey({ container: '/a/', ...rule });
  const both = await service.ruledKey({ container: '/a/', ...rule }, { container: '/b/', ...rule });
  const inA = await create(service, { containers: ['/a/'] });
  const inB = await create(service, { containers: ['/b/'] });
  assert.is((await patch(service, inA, { containers: ['/b/'] }, onlyA)).status, 403);
  assert.is((await patch(service, inA, { containers: ['/a/deeper/', '/b/'] }, onlyA)).status, 403);
  assert.is((await patch(service, inB, { containers: ['/a/'] }, onlyA)).status, 403);
  assert.is((await patch(service, inA, { containers: ['/a/deeper/'] }, onlyA)).status, 200);
  assert.is((await patch(service, inB, { containers: ['/a/'] }, both)).status, 200);
});

attributes.run();
