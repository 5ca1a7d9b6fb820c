import javascriptSdk from '@basis-theory/basis-theory-js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newDataDirectory, removeDataDirectory, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';

/** The library speaks plain HTTP to the name localhost only. */
const clientOf = (key: string, { port }: ServiceProcess) =>
  new javascriptSdk.BasisTheory().init(key, { apiBaseUrl: `http://localhost:${port}` });
type Client = Awaited<ReturnType<typeof clientOf>>;
type Context = { directory: string; service: ServiceProcess; vault: Client; management: Client };
type Failure = { status: number; data: { errors?: Record<string, string[]> } };

const sdk = suite<Context>('basis-theory-js');

sdk.before(async (context) => {
  context.directory = await newDataDirectory();
  context.service = await startService(context.directory);
  context.vault = await clientOf(context.service.credentials.private, context.service);
  context.management = await clientOf(context.service.credentials.management, context.service);
});

sdk.after(async ({ service, directory }) => {
  await service.end();
  await removeDataDirectory(directory);
});

const failureOf = (run: Promise<unknown>): Promise<Failure> =>
  run.then(
    () => assert.unreachable('it should have failed') as never,
    (error: unknown) => error as Failure,
  );

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };

sdk(
  'given a card, when it is created, read, changed and deleted, then each call answers as the library expects',
  async ({ vault }) => {
    const created = await vault.tokens.create({
      type: 'card',
      data: card,
      metadata: { userId: 'Jane Doe' },
      searchIndexes: ['{{ data.expiration_month }}'],
      fingerprintExpression: '{{ data.number }}',
      expiresAt: '2035-01-01T00:00:00+00:00',
    });
    assert.equal(created.data, { number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2030 });
    assert.equal(created.metadata, { userId: 'Jane Doe' });
    assert.equal(created.containers, ['/pci/high/']);
    assert.is(created.fingerprintExpression, '{{ data.number }}');
    assert.ok(created.fingerprint !== undefined && created.createdAt !== undefined);

    const read = await vault.tokens.retrieve(created.id);
    assert.equal([read.id, read.type, read.tenantId], [created.id, 'card', created.tenantId]);

    const updated = await vault.tokens.update(created.id, {
      data: { expiration_year: 2031 },
      metadata: { tier: 'gold' },
      containers: ['/users/jane/'],
    });
    assert.is((updated.data as unknown as typeof card).expiration_year, 2031);
    assert.equal(updated.metadata, { userId: 'Jane Doe', tier: 'gold' });
    assert.equal(updated.containers, ['/users/jane/']);

    await vault.tokens.delete(created.id);
    assert.is((await failureOf(vault.tokens.retrieve(created.id))).status, 404);
  },
);

sdk(
  'given several tokens, when they are listed and searched, then filters and pages hold',
  async ({ vault }) => {
    const ids: string[] = [];
    for (const color of ['red', 'red', 'dark blue']) {
      const token = await vault.tokens.create({
        type: 'token',
        data: `painted ${color}`,
        metadata: { Color: color },
        searchIndexes: ['{{ data }}'],
      });
      ids.push(token.id);
    }
    const named = await vault.tokens.list({ id: ids, size: 2 });
    assert.equal(named.pagination, { totalItems: 3, pageNumber: 1, pageSize: 2, totalPages: 2 });
    assert.is(named.data.length, 2);
    const second = await vault.tokens.list({ id: ids, size: 2, page: 2 });
    assert.is(second.data.length, 1);
    const blue = await vault.tokens.list({ metadata: { Color: 'dark blue' } });
    assert.equal(
      blue.data.map(({ id }) => id),
      [ids[2]],
    );
    const typed = await vault.tokens.list({ type: 'token', metadata: { Color: 'red' } });
    assert.is(typed.pagination.totalItems, 2);
    const found = await vault.tokens.search({ query: 'data:"painted dark blue"', page: 1, size: 5 });
    assert.equal(
      found.data.map(({ id }) => id),
      [ids[2]],
    );
    assert.is((await failureOf(vault.tokens.search({ query: 'nonsense' }))).status, 400);
  },
);

sdk('given any JSON, when it is tokenized, then ids and tokens come in its shape', async ({ vault }) => {
  const tokenized = (await vault.tokenize({
    first_name: 'John',
    primary_card: { type: 'card', data: card },
    list: [1, true],
  })) as { first_name: string; primary_card: { id: string }; list: string[] };
  assert.type(tokenized.first_name, 'string');
  assert.is((await vault.tokens.retrieve(tokenized.primary_card.id)).type, 'card');
  assert.is(tokenized.list.length, 2);
});

sdk('given the options of a call, then trace ids and idempotency keys are honoured', async ({ vault }) => {
  const options = { idempotencyKey: 'library-once', correlationId: 'a-trace-of-my-own' };
  const first = await vault.tokens.create({ type: 'token', data: 1 }, options);
  const again = await vault.tokens.create({ type: 'token', data: 2 }, options);
  assert.is(again.id, first.id);
});

sdk('given what is wrong, then the library can tell what and where', async ({ vault, management }) => {
  const invalid = await failureOf(
    vault.tokens.create({ type: 'card', data: { ...card, number: '4242424242424241' } }),
  );
  assert.is(invalid.status, 400);
  assert.ok('dataNumber' in (invalid.data.errors ?? {}) || 'data.number' in (invalid.data.errors ?? {}));
  const taken = { type: 'token', data: 1, id: 'taken-by-library' } as const;
  await vault.tokens.create(taken);
  assert.is((await failureOf(vault.tokens.create(taken))).status, 409);
  assert.is((await failureOf(management.tokens.list())).status, 403);
  assert.is((await failureOf(vault.tokens.list({}, { apiKey: 'key_unknown' }))).status, 401);
});

sdk(
  'given applications, when every operation is called, then each answers as the library expects',
  async ({ management, vault }) => {
    const created = await management.applications.create({
      name: 'Made by the library',
      type: 'private',
      permissions: ['token:create', 'token:read'],
    });
    assert.match(created.key ?? '', /^key_/);
    const byKey = await vault.applications.retrieveByKey({ apiKey: created.key ?? '' });
    assert.is(byKey.id, created.id);
    assert.is(byKey.key, undefined);
    const read = await management.applications.retrieve(created.id);
    assert.equal([read.name, read.permissions], ['Made by the library', ['token:create', 'token:read']]);
    const listed = await management.applications.list({ id: created.id });
    assert.equal(
      listed.data.map(({ id }) => id),
      [created.id],
    );
    const updated = await management.applications.update(created.id, {
      name: 'Changed',
      permissions: ['token:read'],
    });
    assert.equal([updated.name, updated.permissions], ['Changed', ['token:read']]);
    const regenerated = await management.applications.regenerateKey(created.id);
    assert.is.not(regenerated.key, created.key);
    const newKey = { apiKey: regenerated.key ?? '' };
    assert.is((await vault.applications.retrieveByKey(newKey)).id, created.id);
    assert.is((await failureOf(vault.applications.retrieveByKey({ apiKey: created.key ?? '' }))).status, 401);
    await management.applications.delete(created.id);
    assert.is((await failureOf(management.applications.retrieve(created.id))).status, 404);
  },
);

sdk.run();
