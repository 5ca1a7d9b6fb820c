import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = Record<string, unknown> & { id: string };
type Problem = { errors: Record<string, string[]> };
type List = { pagination: Record<string, number>; data: Token[] };

const tokenize = suite<{ service: VaultService }>('tokenize');

tokenize.before(async (context) => {
  context.service = await startVaultService();
});
tokenize.after(({ service }) => service.close());

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const send = <Body>(service: VaultService, body: unknown): Promise<Reply<Body>> =>
  service.call<Body>('POST', '/tokenize', body);
const total = async (service: VaultService): Promise<number> =>
  (await service.call<List>('GET', '/tokens?size=1')).body.pagination['total_items'] ?? -1;
const revealed = async (service: VaultService, value: unknown): Promise<unknown> =>
  (await service.call('POST', '/detokenize', value)).body;

tokenize(
  'given any JSON, when it is tokenized, then its shape stays and values are tokens',
  async ({ service }) => {
    const { status, body } = await send<Record<string, unknown>>(service, {
      first_name: 'John',
      age: 42,
      active: false,
      nothing: null,
      primary_card: { type: 'card', data: card, metadata: { kept: 'yes' } },
      list: ['a', [{ deep: 1.5 }], {}],
    });
    assert.is(status, 200);
    assert.match(String(body['first_name']), uuid);
    assert.match(String(body['age']), uuid);
    assert.match(String(body['active']), uuid);
    assert.is(body['nothing'], null);
    const primary = body['primary_card'] as Token;
    assert.equal(primary['data'], {
      number: 'XXXXXXXXXXXX4242',
      expiration_month: 12,
      expiration_year: 2030,
    });
    assert.equal(primary['metadata'], { kept: 'yes' });
    const list = body['list'] as [string, [{ deep: string }], object];
    assert.match(list[0], uuid);
    assert.match(list[1][0].deep, uuid);
    assert.equal(list[2], {});
    const read = await service.call<Token>('GET', `/tokens/${list[1][0].deep}`);
    assert.equal([read.body['type'], read.body['containers']], ['token', ['/general/high/']]);
  },
);

tokenize(
  'given an array, one value or nothing to tokenize, then the answer has the same form',
  async ({ service }) => {
    const { body: list } = await send<[string, Token]>(service, ['John', { type: 'card', data: card }]);
    assert.match(list[0], uuid);
    assert.is(list[1]['type'], 'card');
    const { body: one } = await send<Token>(service, { type: 'card_number', data: card.number });
    assert.is(one['data'], 'XXXXXXXXXXXX4242');
    for (const body of [{}, [], { a: null, b: [] }]) assert.equal((await send(service, body)).body, body);
    const { body: plain } = await send<Token>(service, { type: 5, data: 'no request' });
    assert.equal(Object.keys(plain), ['type', 'data']);
  },
);

tokenize(
  'given names that look like paths, when they are tokenized, then each value has a token of its own',
  async ({ service }) => {
    const { status, body } = await send<{ a: { b: string }; 'a.b': string; 'c[0]': string; c: string[] }>(
      service,
      { a: { b: 'one' }, 'a.b': 'two', 'c[0]': 'three', c: ['four'] },
    );
    assert.is(status, 200);
    assert.is(new Set([body.a.b, body['a.b'], body['c[0]'], body.c[0]]).size, 4);
  },
);

tokenize(
  'given tokens of one request, when the list is asked for, then the last comes first',
  async ({ service }) => {
    const { body } = await send<string[]>(service, ['one', 'two', 'three']);
    const { body: list } = await service.call<List>('GET', '/tokens?size=3');
    assert.equal(
      list.data.map(({ id }) => id),
      body.toReversed(),
    );
  },
);

tokenize(
  'given faults anywhere, when it is tokenized, then each is named by its path and nothing is stored',
  async ({ service }) => {
    const before = await total(service);
    const reply = await send<Problem>(service, {
      fine: 'value',
      primary_card: { type: 'card', data: { ...card, number: '4242424242424241' } },
      banks: [{ type: 'bank', data: { routing_number: '021000022', account_number: '1' } }],
      odd: { type: 'unknown', data: 1 },
      loose: { type: 'token', data: 1, containers: 'everywhere', metadata: { a: 1 } },
    });
    assert.is(reply.status, 400);
    const schemaPaths = Object.keys(reply.body.errors);
    assert.ok(schemaPaths.includes('loose.containers') && schemaPaths.includes('loose.metadata.a'));
    const second = await send<Problem>(service, {
      primary_card: { type: 'card', data: { ...card, number: '4242424242424241' } },
      banks: [{ type: 'bank', data: { routing_number: '021000022', account_number: '1' } }],
      odd: { type: 'unknown', data: 1 },
      named: { type: 'token', data: 1, id: 'a#b' },
    });
    assert.equal(Object.keys(second.body.errors).sort(), [
      'banks[0].data.routing_number',
      'named.id',
      'odd.type',
      'primary_card.data.number',
    ]);
    assert.is(
      (
        await send(
          service,
          Array.from({ length: 101 }, () => 'x'),
        )
      ).status,
      400,
    );
    assert.is(await total(service), before);
  },
);

tokenize('given an id that is taken, or is asked for twice, then nothing is stored', async ({ service }) => {
  const before = await total(service);
  assert.is((await send(service, [{ type: 'token', data: 1, id: 'taken-id' }])).status, 200);
  const taken = await send(service, ['fresh', { type: 'token', data: 2, id: 'taken-id' }, 'more']);
  assert.is(taken.status, 409);
  const twice = await send<Problem>(service, {
    a: { type: 'token', data: 1, id: 'same' },
    b: { type: 'token', data: 1, id: 'same' },
  });
  assert.equal([twice.status, Object.keys(twice.body.errors)], [400, ['b.id']]);
  assert.is(await total(service), before + 1);
  const left = await service.composition.pools.owner.query(
    `select from vault.payloads p where not exists (
       select from read_models.tokens t where t.payload_id = p.id)
       and p.stream not like 'idempotency.%' and p.tenant_id = $1`,
    [service.tenantId],
  );
  assert.is(left.rows.length, 0);
});

tokenize('given a hundred cards, when they are tokenized, then all can be revealed', async ({ service }) => {
  const cards = Array.from({ length: 100 }, (_, n) => ({
    type: 'card',
    data: { ...card, expiration_year: 2030 + n },
  }));
  const { status, body } = await send<Token[]>(service, cards);
  assert.is(status, 200);
  assert.is(new Set(body.map(({ id }) => id)).size, 100);
  assert.equal(
    (await revealed(service, `{{ ${body[99]?.id} | json: '$.expiration_year' }}`)) as unknown,
    2129,
  );
});

tokenize(
  'given a container that is not granted, when it is tokenized, then 403 and nothing is stored',
  async ({ service }) => {
    const key = await service.ruledKey({ container: '/general/', permissions: ['token:create'] });
    const before = await total(service);
    const asNarrow = { key };
    assert.is((await service.call('POST', '/tokenize', ['a'], asNarrow)).status, 200);
    const both = ['a', { type: 'card', data: card }];
    assert.is((await service.call('POST', '/tokenize', both, asNarrow)).status, 403);
    assert.is(await total(service), before + 1);
  },
);

tokenize(
  'given an idempotency key, when the request is repeated, then the first tokens come again',
  async ({ service }) => {
    const headers = { 'BT-IDEMPOTENCY-KEY': 'tokenize-once' };
    const first = await service.call('POST', '/tokenize', ['a', 'b'], { headers });
    const again = await service.call('POST', '/tokenize', ['a', 'b'], { headers });
    assert.equal(again.body, first.body);
  },
);

tokenize.run();
