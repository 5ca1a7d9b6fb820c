import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseQuery } from '#queries/token/search/parse.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = Record<string, unknown> & { id: string };
type List = { pagination: Record<string, number> & { next?: string }; data: Token[]; errors?: object };

const search = suite<{ service: VaultService }>('token search');

search.before(async (context) => {
  context.service = await startVaultService();
});
search.after(({ service }) => service.close());

const create = async (service: VaultService, body: object): Promise<Token> => {
  const reply = await service.call<Token>('POST', '/tokens', { type: 'token', data: 'x', ...body });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};
const find = (service: VaultService, query?: unknown, more: object = {}): Promise<Reply<List>> =>
  service.call<List>('POST', '/tokens/search', { query, ...more });
const idsOf = ({ body }: Reply<List>): string[] => body.data.map(({ id }) => id);

search(
  'given search indexes, when data is searched, then exact values are found and no others',
  async ({ service }) => {
    const ssn = await create(service, { type: 'social_security_number', data: '123-45-6789' });
    const own = await create(service, {
      data: { name: 'Sensitive Value', number: 7 },
      search_indexes: ['{{ data.name }}', '{{ data.number }}', '{{ data.name | downcase }}'],
    });
    for (const value of ['123-45-6789', '123456789', '6789']) {
      assert.equal(idsOf(await find(service, `data:${value}`)), [ssn.id]);
    }
    for (const value of ['"Sensitive Value"', '"sensitive value"', '7']) {
      assert.equal(idsOf(await find(service, `data:${value}`)), [own.id]);
    }
    for (const value of ['"SENSITIVE VALUE"', 'Sensitive', '45', 'x']) {
      assert.equal(idsOf(await find(service, `data:${value}`)), []);
    }
    assert.equal(idsOf(await find(service, 'data:"Sensitive Value" AND data:7')), [own.id]);
    assert.equal(idsOf(await find(service, 'data:"Sensitive Value" AND data:6789')), []);
  },
);

search(
  'given an update, when the old value is searched, then the token is no longer found by it',
  async ({ service }) => {
    const { id } = await create(service, { data: 'before', search_indexes: ['{{ data }}'] });
    assert.is((await service.call('PATCH', `/tokens/${id}`, { data: 'after' })).status, 200);
    assert.equal(idsOf(await find(service, 'data:before')), []);
    assert.equal(idsOf(await find(service, 'data:after')), [id]);
    assert.is((await service.call('DELETE', `/tokens/${id}`)).status, 204);
    assert.equal(idsOf(await find(service, 'data:after')), []);
  },
);

search('given the other fields, when they are joined by AND, then all must hold', async ({ service }) => {
  const metadata = { user_id: 'Jane Doe', tier: 'gold', 'home "town":': 'Riverside' };
  const one = await create(service, { data: 'unlike any other', metadata, containers: ['/users/jane/'] });
  await create(service, { data: 'y', metadata: { ...metadata, tier: 'silver' } });
  for (const query of [
    `id:${one.id}`,
    'metadata.user_id:"jane doe" AND metadata.tier:GOLD',
    `fingerprint:${String(one['fingerprint'])}`,
    'metadata."home \\"town\\":":Riverside AND metadata.tier:gold',
    'container:/users/jane/',
    'container:/Users/ AND type:token',
    `id:${one.id} AND created_at:[2020-01-01 TO *]`,
    `id:${one.id} AND created_at:[* TO "2999-01-01T00:00:00Z"]`.replaceAll('"', ''),
    `metadata.tier:gold AND created_at:{${String(one['created_at']).slice(0, 4)}-01-01 TO 2999-01-01}`,
  ]) {
    assert.equal(idsOf(await find(service, query)), [one.id], query);
  }
  for (const query of [
    `id:${one.id} AND id:other`,
    `id:${one.id} AND type:card`,
    `id:${one.id} AND created_at:[* TO 2020-01-01]`,
    `id:${one.id} AND created_at:{${String(one['created_at'])} TO *}`,
    'metadata.tier:gold AND metadata.tier:silver',
    'metadata.Tier:gold',
    'container:/users/jane/deeper/',
    'fingerprint:a AND fingerprint:b',
  ]) {
    assert.equal(idsOf(await find(service, query)), [], query);
  }
});

search(
  'given no query, when it is searched, then all are there in pages, newest first',
  async ({ service }) => {
    const other = await startVaultService();
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift((await create(other, { data: n })).id);
    const all = await find(other);
    assert.equal(idsOf(all), made);
    assert.equal(all.body.pagination, { total_items: 5, page_number: 1, page_size: 20, total_pages: 1 });
    const second = await find(other, null, { page: 2, size: 2 });
    assert.equal(idsOf(second), made.slice(2, 4));
    assert.equal(second.body.pagination, { total_items: 5, page_number: 2, page_size: 2, total_pages: 3 });
    assert.equal(idsOf(await find(other, '', { page: 9 })), []);
    await other.close();
    assert.ok(service);
  },
);

search('given a day, when tokens are searched by it, then all of it counts, in UTC', async ({ service }) => {
  const { id, created_at } = await create(service, { data: 'of today' });
  const moment = String(created_at);
  const [day, dayBefore, dayAfter] = [0, -1, 1].map((days) =>
    new Date(Date.parse(moment) + days * 86_400_000).toISOString().slice(0, 10),
  );
  for (const time of [
    day,
    moment,
    `[${day} TO ${day}]`,
    `{${dayBefore} TO ${dayAfter}}`,
    `[${moment} TO ${moment}]`,
  ]) {
    assert.equal(idsOf(await find(service, `id:${id} AND created_at:${time}`)), [id], time);
  }
  const later = new Date(Date.parse(moment) + 1).toISOString();
  for (const time of [dayBefore, dayAfter, later, `{${day} TO *}`, `[* TO ${day}}`, `[${dayAfter} TO *]`]) {
    assert.equal(idsOf(await find(service, `id:${id} AND created_at:${time}`)), [], time);
  }
  for (const [query, from, to] of [
    ['created_at:2026-11-21', '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z'],
    ['created_at:11/21/2026', '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z'],
    ['created_at:2026-11-21T00:00:00Z', '2026-11-21T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
    ['created_at:2026-11-21T09:30+02:00', '2026-11-21T07:30:00.000Z', '2026-11-21T07:30:00.000Z'],
    ['created_at:[2026-11-21 TO 2026-11-22]', '2026-11-21T00:00:00.000Z', '2026-11-22T23:59:59.999Z'],
    ['created_at:{2026-11-21 TO 2026-11-23}', '2026-11-22T00:00:00.000Z', '2026-11-22T23:59:59.999Z'],
  ] as const) {
    const [{ createdFrom, createdTo } = {}] = parseQuery(query);
    assert.equal([createdFrom?.toISOString(), createdTo?.toISOString()], [from, to], query);
  }
});

search('given OR and parentheses, then AND binds stronger, and groups are whole', async ({ service }) => {
  const made = new Map<string, string>();
  for (const [name, attributes] of Object.entries({
    a: {
      data: '(555) 1*',
      search_indexes: ['{{ data }}'],
      metadata: { either: 'one', group: 'g', 'f(x)': 'y' },
    },
    b: { data: 'b', metadata: { either: 'two', group: 'g' } },
    c: { data: 'c', metadata: { either: 'three', group: 'g', also: 'f(x)' }, containers: ['/either/'] },
    d: { data: 'd', metadata: { either: 'two', group: 'h' } },
  })) {
    made.set((await create(service, attributes)).id, name);
  }
  const named = ({ body }: Reply<List>): string => body.data.map(({ id }) => made.get(id) ?? id).join('');
  for (const [query, names] of [
    ['metadata.either:one OR metadata.either:two', 'dba'],
    ['metadata.either:one OR metadata.either:two AND metadata.group:h', 'da'],
    ['metadata.group:h AND metadata.either:two OR metadata.either:one', 'da'],
    ['(metadata.either:one OR metadata.either:two) AND metadata.group:g', 'ba'],
    ['metadata.group:g AND (metadata.either:one OR (metadata.either:two))', 'ba'],
    ['metadata.group:g AND(metadata.either:one OR(metadata.either:three))', 'ca'],
    ['( metadata.either:one  OR  metadata.either:TWO )', 'dba'],
    ['metadata.either:(one OR three)', 'ca'],
    ['metadata.group:(g AND (h OR g))', 'cba'],
    ['metadata.group:g AND metadata.either:("one" OR three AND three)', 'ca'],
    ['metadata.either:one OR metadata.group:g OR metadata.either:one', 'cba'],
    ['data:"(555) 1*" OR (container:/either/ AND created_at:([2020-01-01 TO *] OR 2019-01-01))', 'ca'],
    ['(metadata.also:f(x))', 'c'],
    ['metadata.either:none OR (metadata.group:g AND metadata.group:h)', ''],
    [[...made.keys()].map((id) => `id:${id}`).join(' OR '), 'dcba'],
  ] as const) {
    const reply = await find(service, query);
    assert.is(reply.status, 200, JSON.stringify(reply.body));
    assert.is(named(reply), names, query);
    assert.is(reply.body.pagination['total_items'], names.length, query);
    const second = await service.call<List>('POST', '/v2/tokens/search', { query });
    assert.is(named(second), names, query);
  }
  const query = 'metadata.either:(one OR two OR three)';
  assert.is(named(await find(service, query, { page: 2, size: 3 })), 'a');
  assert.is(named(await find(service, query, { page: 2, size: 1 })), 'c');
  const first = await service.call<List>('POST', '/v2/tokens/search', { query, size: 3 });
  const { next } = first.body.pagination;
  const rest = await service.call<List>('POST', '/v2/tokens/search', { query, size: 3, start: next });
  assert.equal([named(first), named(rest)], ['dcb', 'a']);
});

search(
  'given a wildcard, then 400 says why it finds nothing; in quotes it is a character',
  async ({ service }) => {
    const { id } = await create(service, { data: '67*9?', search_indexes: ['{{ data }}'] });
    assert.equal(idsOf(await find(service, 'data:"67*9?"')), [id]);
    for (const path of ['/tokens/search', '/v2/tokens/search']) {
      const reply = await service.call<List>('POST', path, { query: 'data:67*' });
      assert.equal(
        [reply.status, reply.body.errors],
        [
          400,
          {
            query: [
              'there are no wildcards, since values are compared whole: a value that holds * or ? must stand in quotes (at character 8)',
            ],
          },
        ],
      );
    }
  },
);

search(
  'given an operator of Lucene that touches a value, then 400 names it; in quotes it is text',
  async ({ service }) => {
    for (const [value, operator, place] of [
      ['a||b', '||', 7],
      ['a&&b', '&&', 7],
      ['!x', '!', 6],
      ['-x', '-', 6],
      ['x~', '~', 7],
      ['x~0.8', '~0.8', 7],
      ['x^2', '^2', 7],
    ] as const) {
      const reply = await find(service, `data:${value}`);
      assert.is(reply.status, 400, value);
      const [fault = ''] = Object.values(reply.body.errors ?? {}).flat() as string[];
      assert.ok(fault.startsWith(`'${operator}' `) && fault.endsWith(`(at character ${place})`), fault);
      const { id } = await create(service, { data: value, search_indexes: ['{{ data }}'] });
      assert.equal(idsOf(await find(service, `data:"${value}"`)), [id]);
      assert.is((await find(service, `type:(card OR ${value})`)).status, 400);
    }
    for (const plain of ['a-b', 'a~b', 'a!', '+1', 'a|b', 'a&b', 'x^y']) {
      assert.is((await find(service, `data:${plain}`)).status, 200, plain);
    }
  },
);

search('given a query that cannot be read, then 400 says at which character', async ({ service }) => {
  for (const path of ['/tokens/search', '/v2/tokens/search']) {
    const reply = await service.call<List>('POST', path, { query: 'id:a AND unknown:b' });
    assert.is(reply.status, 400);
    assert.match(JSON.stringify(reply.body.errors), '(at character 10)');
  }
  assert.is((await find(service, 'data:' + 'x'.repeat(1_000))).status, 400);
  assert.is((await find(service, 7)).status, 400);
});

search(
  'given rules for searching, when it is searched, then tokens and transforms follow them',
  async ({ service }) => {
    const mask = '{{ data | reveal_last: 2 }}';
    await create(service, { data: 'hidden', containers: ['/a/'], metadata: { ruled: 'yes' }, mask });
    const seen = await create(service, {
      data: 'shown',
      containers: ['/b/'],
      metadata: { ruled: 'yes' },
      mask,
    });
    const key = await service.ruledKey({
      container: '/b/',
      transform: 'reveal',
      permissions: ['token:search'],
    });
    const asRuled = { key };
    const found = await service.call<List>(
      'POST',
      '/tokens/search',
      { query: 'metadata.ruled:yes' },
      asRuled,
    );
    assert.equal(
      found.body.data.map(({ id, data }) => [id, data]),
      [[seen.id, 'shown']],
    );
    assert.is(found.body.pagination['total_items'], 1);
    assert.is((await service.call('GET', '/tokens', undefined, asRuled)).status, 403);
    const masked = await find(service, `id:${seen.id}`);
    assert.is(masked.body.data[0]?.['data'], 'XXXwn');
    const asPublic = { key: service.keys.public };
    assert.is((await service.call('POST', '/tokens/search', {}, asPublic)).status, 403);
  },
);

search(
  'given two tenants with the same content, when each filter is used, then nobody finds a token of the other',
  async ({ service }) => {
    const keys = await service.anotherTenant();
    const body = {
      type: 'token',
      data: 'the same',
      metadata: { shared: 'value' },
      search_indexes: ['{{ data }}'],
      containers: ['/shared/'],
    };
    const mine = await create(service, body);
    const { body: theirs } = await service.call<Token>('POST', '/tokens', body, { key: keys.private });
    for (const query of [
      `id:${mine.id}`,
      'data:"the same"',
      'metadata.shared:value',
      'container:/shared/',
      `fingerprint:${String(mine['fingerprint'])}`,
      'created_at:[* TO *]',
      '',
    ]) {
      const own = idsOf(await find(service, query));
      const found = await service.call<List>('POST', '/tokens/search', { query }, { key: keys.private });
      assert.ok(own.includes(mine.id) && !own.includes(theirs.id), query);
      const isMine = query.startsWith('id:') || query.startsWith('fingerprint:');
      assert.equal(idsOf(found), isMine ? [] : [theirs.id], query);
      assert.is(found.body.pagination['total_items'], isMine ? 0 : 1, query);
    }
  },
);

search.run();
