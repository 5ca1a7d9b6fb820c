import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTokens } from '#commands/token/create.ts';
import { systemContext } from '#commands/systemContext.ts';
import { createUnfinishedBatches } from '#infra/postgres/unfinishedBatches.ts';
import type { AppendVerdict, EventLog } from '#ports/eventLog.ts';
import { LogUnavailable } from '#ports/eventLog.ts';
import { undoBatches } from '#src/timers/undoBatches.ts';
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
       select from read_models.tokens t where t.payload_id = p.id) and p.stream <> 'idempotency'`,
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
    const { body: application } = await service.call<{ key: string }>(
      'POST',
      '/applications',
      {
        name: 'narrow',
        type: 'private',
        rules: [{ priority: 1, container: '/general/', transform: 'mask', permissions: ['token:create'] }],
      },
      { key: service.keys.management },
    );
    const before = await total(service);
    const asNarrow = { key: application.key };
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

/** A log that writes one stream after the other, and breaks after so many. */
function oneByOne(log: EventLog, breaksAfter = Infinity): EventLog {
  let written = 0;
  return new Proxy(log, {
    get: (target, name) => {
      if (name === 'atomicAcrossStreams') return false;
      if (name === 'appendAll') {
        const appendAll: EventLog['appendAll'] = async (appends) => {
          const verdicts: AppendVerdict[] = [];
          for (const append of appends) {
            if (written++ >= breaksAfter) throw new LogUnavailable('broken by the test');
            verdicts.push(...(await target.appendAll([append])));
            if (verdicts.at(-1)?.outcome === 'conflict') break;
          }
          return appends.map((_, index) => verdicts[index] ?? { outcome: 'not_attempted' });
        };
        return appendAll;
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const plain = (...values: string[]) =>
  values.map((value, index) => ({ input: { type: 'token', data: value, id: value }, path: `[${index}].` }));
const contextOf = (service: VaultService) => ({
  ...systemContext(service.tenantId, { type: 'system', id: 'test' } as const),
  rights: { permissions: ['token:create'], rules: [] },
});
const statuses = (service: VaultService, ids: string[]): Promise<number[]> =>
  Promise.all(ids.map(async (id) => (await service.call('GET', `/tokens/${id}`)).status));

tokenize(
  'given a log that writes stream by stream, when an id is taken, then those before it are undone',
  async ({ service }) => {
    const { composition } = service;
    const dependencies = { ...composition, log: oneByOne(composition.log) };
    await createTokens(dependencies, contextOf(service), plain('batch-1', 'batch-2'));
    assert.equal(await statuses(service, ['batch-1', 'batch-2']), [200, 200]);
    const refused = await createTokens(
      dependencies,
      contextOf(service),
      plain('batch-3', 'batch-2', 'batch-4'),
    ).then(
      () => 'created',
      (error: Error) => error.name,
    );
    assert.is(refused, 'Conflicted');
    assert.equal(await statuses(service, ['batch-3', 'batch-2', 'batch-4']), [404, 200, 404]);
  },
);

tokenize(
  'given a log that breaks in the middle, then a retry completes it, and without one it is undone',
  async ({ service }) => {
    const { composition } = service;
    const breaking = () => ({ ...composition, log: oneByOne(composition.log, 1) });
    const retried = contextOf(service);
    const failed = await createTokens(breaking(), retried, plain('retry-1', 'retry-2')).catch(
      (error: Error) => error.name,
    );
    assert.is(failed, 'LogUnavailable');
    const dependencies = { ...composition, log: oneByOne(composition.log) };
    await createTokens(dependencies, { ...retried, repeated: true }, plain('retry-1', 'retry-2'));
    assert.equal(await statuses(service, ['retry-1', 'retry-2']), [200, 200]);

    await createTokens(breaking(), contextOf(service), plain('left-1', 'left-2')).catch(() => undefined);
    assert.equal(await statuses(service, ['left-1', 'left-2']), [200, 404]);
    const late = { now: () => new Date(Date.now() + 3 * 60_000) };
    const batches = createUnfinishedBatches(composition.pools.owner);
    await undoBatches({ ...dependencies, clock: late }, batches).run();
    assert.equal(await statuses(service, ['retry-1', 'retry-2', 'left-1', 'left-2']), [200, 200, 404, 404]);
    assert.equal(await batches.abandoned(new Date(Date.now() + 60_000)), []);
  },
);

tokenize.run();
