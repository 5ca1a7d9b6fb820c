import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { card } from '#test/sdk/support/card.ts';
import { applicationOperations, clientOf, statusOf, tokenOperations } from '#test/sdk/support/javascript.ts';
import type { Context } from '#test/sdk/support/javascript.ts';
import { testRefusals } from '#test/sdk/support/javascriptRefusals.ts';
import { absentId, methodsOf } from '#test/sdk/support/operations.ts';
import { serve } from '#test/sdk/support/served.ts';
import { request } from '#test/support/service.ts';

const sdk = suite<Context>('basis-theory-js');

sdk.before(async (context) => {
  Object.assign(context, await serve());
  context.vault = await clientOf(context.service.credentials.private, context.service);
  context.management = await clientOf(context.service.credentials.management, context.service);
});

sdk.after(({ stop }) => stop());

const idsOf = (list: { data: { id: string }[] }): string[] => list.data.map(({ id }) => id);

sdk(
  'given the library, then every operation on tokens and applications is tried',
  ({ vault, management }) => {
    assert.equal(methodsOf(vault.tokens), Object.keys(tokenOperations(vault, absentId)));
    // The library keeps the second for retrieveByKey's own use.
    const operations = [...Object.keys(applicationOperations(management, absentId)), 'getApplicationByKey'];
    assert.equal(methodsOf(management.applications), operations.sort());
  },
);

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
    assert.equal(created.searchIndexes, ['{{ data.expiration_month }}']);
    assert.is(created.fingerprintExpression, '{{ data.number }}');
    assert.is(Date.parse(created.expiresAt ?? ''), Date.UTC(2035, 0, 1));
    assert.ok(created.fingerprint !== undefined && created.createdAt !== undefined);

    assert.equal(await vault.tokens.retrieve(created.id), created);

    const updated = await vault.tokens.update(created.id, {
      data: { expiration_year: 2031 },
      metadata: { tier: 'gold' },
      containers: ['/users/jane/'],
    });
    assert.equal(updated.data, { ...Object(created.data), expiration_year: 2031 });
    assert.equal(updated.metadata, { userId: 'Jane Doe', tier: 'gold' });
    assert.equal(updated.containers, ['/users/jane/']);
    assert.is(updated.fingerprint, created.fingerprint);
    assert.ok(updated.modifiedAt !== undefined && updated.modifiedBy !== undefined);

    assert.is(await vault.tokens.delete(created.id), undefined);
    assert.is(await statusOf(vault.tokens.retrieve(created.id)), 404);
  },
);

sdk(
  'given several tokens, when they are listed and searched, then filters and pages hold',
  async ({ vault }) => {
    const ids: string[] = [];
    for (const color of ['red', 'red', 'dark blue']) {
      const { id } = await vault.tokens.create({
        type: 'token',
        data: `painted ${color}`,
        metadata: { Color: color, place: `hall-${ids.length}` },
        searchIndexes: ['{{ data }}'],
      });
      ids.push(id);
    }
    const newestFirst = ids.toReversed();
    const first = await vault.tokens.list({ id: ids, size: 2 });
    assert.equal(first.pagination, { totalItems: 3, pageNumber: 1, pageSize: 2, totalPages: 2 });
    const second = await vault.tokens.list({ id: ids, size: 2, page: 2 });
    assert.equal([...idsOf(first), ...idsOf(second)], newestFirst);
    assert.equal(idsOf(await vault.tokens.list({ id: ids, size: 2, page: 3 })), []);
    assert.equal(idsOf(await vault.tokens.list({ id: ids[1] })), [ids[1]]);
    assert.equal(idsOf(await vault.tokens.list({ metadata: { Color: 'Dark Blue' } })), [ids[2]]);
    assert.equal(idsOf(await vault.tokens.list({ metadata: { Color: 'red', place: 'hall-1' } })), [ids[1]]);
    const typed = await vault.tokens.list({ type: ['token', 'bank'], metadata: { Color: 'red' } });
    assert.is(typed.pagination.totalItems, 2);
    assert.equal(idsOf(await vault.tokens.list({ type: 'bank', id: ids })), []);

    const search = async (query: string, page = 1) =>
      idsOf(await vault.tokens.search({ query, page, size: 2 }));
    assert.equal(await search('data:"painted dark blue"'), [ids[2]]);
    assert.equal(await search('data:"Painted dark blue"'), []);
    assert.equal(await search(`id:${ids[0]}`), [ids[0]]);
    assert.equal(await search('metadata.Color:RED AND metadata.place:hall-0'), [ids[0]]);
    assert.equal(await search('metadata.Color:red'), [ids[1], ids[0]]);
    assert.equal(await search('metadata.Color:red', 2), []);
    const all = await vault.tokens.search({});
    assert.equal([all.pagination.pageNumber, all.pagination.pageSize], [1, 20]);
  },
);

sdk('given any JSON, when it is tokenized, then ids and tokens come in its shape', async ({ vault }) => {
  const tokenized = (await vault.tokenize({
    firstName: 'John',
    primary_card: { type: 'card', data: card },
    list: [1, true],
  })) as { firstName: string; primary_card: { id: string; data: unknown }; list: string[] };
  assert.equal(Object.keys(tokenized), ['firstName', 'primary_card', 'list']);
  assert.is((await vault.tokens.retrieve(tokenized.firstName)).type, 'token');
  const stored = await vault.tokens.retrieve(tokenized.primary_card.id);
  assert.equal([stored.type, stored.data], ['card', tokenized.primary_card.data]);
  assert.is((await vault.tokens.list({ id: tokenized.list })).pagination.totalItems, 2);
});

sdk('given a rule that reveals, then the library reads what was stored', async ({ vault, management }) => {
  const rule = {
    description: 'employees',
    priority: 1,
    container: '/employees/',
    transform: 'reveal' as const,
    permissions: ['token:create', 'token:read'],
  };
  const { id, key, rules } = await management.applications.create({
    name: 'revealing',
    type: 'private',
    rules: [rule],
  });
  assert.equal(rules, [rule]);
  const data = { givenName: 'Ann', last_name: 'Lee' };
  const options = { apiKey: key };
  const token = await vault.tokens.create({ type: 'token', data, containers: ['/employees/'] }, options);
  assert.equal((await vault.tokens.retrieve(token.id, options)).data, data);
  assert.is((await vault.tokens.retrieve(token.id)).data, undefined);
  const elsewhere = vault.tokens.create({ type: 'token', data }, options);
  assert.is(await statusOf(elsewhere), 403);
  assert.equal((await management.applications.retrieve(id)).rules, [rule]);
});

sdk(
  'given an idempotency key, when a call is repeated, then the first success comes again',
  async ({ vault, management }) => {
    const options = { idempotencyKey: 'library-once' };
    assert.is(await statusOf(vault.tokens.create({ type: 'card', data: 'wrong' }, options)), 400);
    const first = await vault.tokens.create({ type: 'token', data: 1 }, options);
    assert.equal(await vault.tokens.create({ type: 'token', data: 2 }, options), first);
    const changed = await vault.tokens.update(first.id, { metadata: { color: 'red' } }, options);
    assert.equal(await vault.tokens.update(first.id, { metadata: { color: 'blue' } }, options), changed);
    assert.equal((await vault.tokens.retrieve(first.id)).metadata, { color: 'red' });
    const tokenized = await vault.tokenize({ name: 'John' }, options);
    assert.equal(await vault.tokenize({ name: 'Joan' }, options), tokenized);

    const { create } = applicationOperations(management, absentId, options);
    const application = await create();
    assert.equal(await create(), application);
    const { update, regenerateKey } = applicationOperations(management, application.id, options);
    assert.equal(await update(), await update());
    const regenerated = await regenerateKey();
    assert.equal(await regenerateKey(), regenerated);
    assert.is((await vault.applications.retrieveByKey({ apiKey: regenerated.key })).id, application.id);
    await vault.tokens.delete(first.id, options);
    assert.is(await statusOf(vault.tokens.delete(first.id, options)), 404);
  },
);

sdk(
  'given applications, when every operation is called, then each answers as the library expects',
  async ({ management, vault, service }) => {
    const created = await management.applications.create({
      name: 'Made by the library',
      type: 'private',
      permissions: ['token:create', 'token:read'],
      expiresAt: '2035-01-01T00:00:00+00:00',
    });
    const { id, key: firstKey = '' } = created;
    assert.match(firstKey, /^key_/);
    assert.is(Date.parse(created.expiresAt ?? ''), Date.UTC(2035, 0, 1));
    const byKey = await vault.applications.retrieveByKey({ apiKey: firstKey });
    assert.equal([byKey.id, byKey.key], [id, undefined]);
    assert.equal(await management.applications.retrieve(id), byKey);

    const other = await management.applications.create({
      name: 'Another',
      type: 'public',
      permissions: ['token:create'],
    });
    const first = await management.applications.list({ id: [id, other.id], size: 1 });
    assert.equal(first.pagination, { totalItems: 2, pageNumber: 1, pageSize: 1, totalPages: 2 });
    const second = await management.applications.list({ id: [id, other.id], size: 1, page: 2 });
    assert.equal([...idsOf(first), ...idsOf(second)], [other.id, id]);
    assert.equal(idsOf(await management.applications.list({ id })), [id]);

    const changes = { name: 'Changed', permissions: ['token:read'] };
    const { name, permissions, type } = await management.applications.update(id, changes);
    assert.equal({ name, permissions, type }, { ...changes, type: 'private' });
    assert.is(await statusOf(vault.tokens.create({ type: 'token', data: 1 }, { apiKey: firstKey })), 403);

    const { key: secondKey = '' } = await management.applications.regenerateKey(id);
    assert.is((await vault.applications.retrieveByKey({ apiKey: secondKey })).id, id);
    assert.is(await statusOf(vault.applications.retrieveByKey({ apiKey: firstKey })), 401);
    const options = { key: service.credentials.management };
    assert.is((await request(service, 'POST', `/applications/${id}/keys`, options)).status, 201);
    assert.is(await statusOf(management.applications.regenerateKey(id)), 422);

    assert.is(await management.applications.delete(id), undefined);
    assert.is(await statusOf(management.applications.retrieve(id)), 404);
    assert.is(await statusOf(vault.applications.retrieveByKey({ apiKey: secondKey })), 401);
  },
);

testRefusals(sdk);

sdk.run();
