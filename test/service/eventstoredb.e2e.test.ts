import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newDataDirectory, removeDataDirectory, request, startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';

const onEventStoreDb = suite<{ directory: string; server: EventStoreDbServer }>(
  'the service on EventStoreDB',
);

onEventStoreDb.before(async (context) => {
  context.directory = await newDataDirectory();
  context.server = await EventStoreDbServer.start();
});

onEventStoreDb.after(async ({ directory, server }) => {
  server.stop();
  await removeDataDirectory(directory);
});

onEventStoreDb(
  'given an event store, when tokens live and the service restarts, then all is as on Postgres',
  async ({ directory, server }) => {
    const environment = { EVENTSTOREDB_URL: server.connectionString };
    const service = await startService(directory, environment);
    const key = service.credentials.private;
    const create = (data: unknown) =>
      request<{ id: string }>(service, 'POST', '/tokens', { key, body: { type: 'token', data } });
    const [kept, doomed] = [await create({ a: 1, b: 2 }), await create('x')];
    assert.equal([kept.status, doomed.status], [201, 201]);
    const listed = await request<{ data: { id: string }[] }>(service, 'GET', '/tokens', { key });
    assert.equal(
      listed.body.data.map(({ id }) => id),
      [doomed.body.id, kept.body.id],
    );
    assert.is(
      (await request(service, 'PATCH', `/tokens/${kept.body.id}`, { key, body: { data: { b: null } } }))
        .status,
      200,
    );
    assert.is((await request(service, 'DELETE', `/tokens/${doomed.body.id}`, { key })).status, 204);
    assert.is(await service.end(), 0);
    const again = await startService(directory, environment);
    assert.is((await request(again, 'GET', `/tokens/${doomed.body.id}`, { key })).status, 404);
    const body = { a: `{{ ${kept.body.id} }}` };
    assert.is((await request(again, 'POST', '/detokenize', { key, body })).status, 200);
    const after = await request<{ pagination: { total_items: number } }>(again, 'GET', '/tokens', { key });
    assert.is(after.body.pagination.total_items, 1);
    assert.is(await again.end(), 0);
  },
);

onEventStoreDb(
  'given an event store, when several tokens are made together, then all are there or none',
  async ({ directory, server }) => {
    const service = await startService(directory, { EVENTSTOREDB_URL: server.connectionString });
    const key = service.credentials.private;
    const tokenize = (body: unknown) =>
      request<{ id: string }[]>(service, 'POST', '/tokenize', { key, body });
    const total = async (): Promise<number> => {
      const answer = await request<{ pagination: { total_items: number } }>(service, 'GET', '/tokens', {
        key,
      });
      return answer.body.pagination.total_items;
    };
    const before = await total();
    const named = (id: string) => ({ type: 'token', data: id, id, search_indexes: ['{{ data }}'] });
    assert.is((await tokenize(Array.from({ length: 100 }, (_, n) => named(`event-store-${n}`)))).status, 200);
    // Views follow the event store, which a busy machine delivers late.
    await until(async () => (await total()) === before + 100);
    const refused = await tokenize([
      named('event-store-new'),
      named('event-store-7'),
      named('event-store-more'),
    ]);
    assert.is(refused.status, 409);
    for (const id of ['event-store-new', 'event-store-more']) {
      assert.is((await request(service, 'GET', `/tokens/${id}`, { key })).status, 404);
    }
    // Views follow the event store, which a busy machine delivers late.
    await until(async () => (await total()) === before + 100);
    const once = { type: 'card_number', data: '4242424242424242', deduplicate_token: true };
    const made = await Promise.all(Array.from({ length: 10 }, () => tokenize([once])));
    assert.is(new Set(made.map(({ body }) => body[0]?.id)).size, 1);
    const found = await request<{ data: unknown[] }>(service, 'POST', '/tokens/search', {
      key,
      body: { query: 'data:event-store-42' },
    });
    assert.is(found.body.data.length, 1);
    assert.is(await service.end(), 0);
  },
);

onEventStoreDb.run();
