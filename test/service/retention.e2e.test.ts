import pg from 'pg';
import * as assert from 'uvu/assert';
import { connectToDataDirectory } from '#infra/postgres/embedded/connect.ts';
import { directorySuite } from '#test/support/directorySuite.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';

const retention = directorySuite('retention', newPreparedDirectory);

const createRevealing = async (service: ServiceProcess): Promise<string> => {
  const { body } = await request<{ key: string }>(service, 'POST', '/applications', {
    key: service.credentials.management,
    body: {
      name: 'revealing',
      type: 'private',
      rules: [{ priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] }],
    },
  });
  return body.key;
};

const count = async (directory: string, statement: string): Promise<number> => {
  const database = await connectToDataDirectory(directory, silentLogger);
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query<{ count: string }>(statement);
  await client.end();
  await database.close();
  return Number(rows[0]?.count);
};

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };
const shown = async (service: ServiceProcess, key: string, id: string): Promise<unknown> =>
  (await request(service, 'GET', `/tokens/${id}`, { key })).body['data'];

retention(
  'given a card with a security code, when an hour has passed, then the code is gone and the rest is there',
  async ({ directory }) => {
    const service = await startService(directory);
    const revealing = await createRevealing(service);
    const { body } = await request<{ id: string }>(service, 'POST', '/tokens', {
      key: service.credentials.private,
      body: { type: 'card', data: card },
    });
    assert.equal(await shown(service, revealing, body.id), card);
    await service.end();
    const before = await startService(directory, { HOLDFAST_CLOCK_OFFSET: '59m' });
    assert.equal(await shown(before, revealing, body.id), card);
    await before.end();
    const after = await startService(directory, { HOLDFAST_CLOCK_OFFSET: '61m' });
    assert.equal(await shown(after, revealing, body.id), {
      number: card.number,
      expiration_month: 12,
      expiration_year: 2030,
    });
    const rows = 'select count(*) from vault.short_lived_parts';
    await until(async () => (await count(directory, rows)) === 0);
    const events = `select count(*) from event_log.events
      where type = 'token.property.expired' and data->>'property_name' = 'cvc'`;
    assert.is(await count(directory, events), 1);
    const changed = await request(after, 'PATCH', `/tokens/${body.id}`, {
      key: after.credentials.private,
      body: { data: { cvc: '456' } },
    });
    assert.is(changed.status, 200);
    assert.equal(await shown(after, revealing, body.id), { ...card, cvc: '456' });
    await after.end();
    const last = await startService(directory, { HOLDFAST_CLOCK_OFFSET: '123m' });
    await until(async () => (await count(directory, events)) === 2);
    await until(async () => (await count(directory, rows)) === 0);
    await last.end();
  },
);

retention(
  'given tokens and applications with a time, when it has come, then they are gone for callers and from the vault',
  async ({ directory }) => {
    const service = await startService(directory);
    const expiresAt = new Date(Date.now() + 30 * 60_000).toISOString();
    const { body: token } = await request<{ id: string }>(service, 'POST', '/tokens', {
      key: service.credentials.private,
      body: { type: 'token', data: 'short', expires_at: expiresAt },
    });
    const { body: application } = await request<{ id: string; key: string }>(
      service,
      'POST',
      '/applications',
      {
        key: service.credentials.management,
        body: { name: 'short', type: 'private', permissions: ['token:read'], expires_at: expiresAt },
      },
    );
    const read = (by: ServiceProcess, key: string) => request(by, 'GET', `/tokens/${token.id}`, { key });
    assert.is((await read(service, application.key)).status, 200);
    await service.end();
    const later = await startService(directory, { HOLDFAST_CLOCK_OFFSET: '31m' });
    assert.is((await read(later, application.key)).status, 401);
    assert.is((await read(later, later.credentials.private)).status, 404);
    const list = await request<{ pagination: { total_items: number } }>(later, 'GET', '/tokens', {
      key: later.credentials.private,
    });
    assert.is(list.body.pagination.total_items, 0);
    const asked = await request(later, 'GET', `/applications/${application.id}`, {
      key: later.credentials.management,
    });
    assert.is(asked.status, 404);
    await until(async () => (await count(directory, 'select count(*) from vault.payloads')) === 0);
    await until(async () => (await count(directory, 'select count(*) from read_models.tokens')) === 0);
    await until(
      async () =>
        (await count(directory, `select count(*) from read_models.applications where name = 'short'`)) === 0,
    );
    await later.end();
  },
);

retention(
  'given a token that is changed and deleted, when subscribers have run, then the vault holds nothing of it',
  async ({ directory }) => {
    const service = await startService(directory);
    const key = service.credentials.private;
    const { body } = await request<{ id: string }>(service, 'POST', '/tokens', {
      key,
      body: { type: 'card', data: card },
    });
    await request(service, 'PATCH', `/tokens/${body.id}`, { key, body: { data: { expiration_year: 2031 } } });
    await until(async () => (await count(directory, 'select count(*) from vault.payloads')) === 1);
    assert.is((await request(service, 'DELETE', `/tokens/${body.id}`, { key })).status, 204);
    await until(async () => (await count(directory, 'select count(*) from vault.payloads')) === 0);
    assert.is(await count(directory, 'select count(*) from vault.short_lived_parts'), 0);
    await service.end();
  },
);

retention.run();
