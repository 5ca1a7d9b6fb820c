import { BasisTheory } from '@basis-theory/node-sdk';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { card } from '#test/sdk/support/card.ts';
import { failureOf } from '#test/sdk/support/failure.ts';
import { applicationOperations, clientOf, keyOperations, tokenOperations } from '#test/sdk/support/node.ts';
import type { Context } from '#test/sdk/support/node.ts';
import { testRefusals } from '#test/sdk/support/nodeRefusals.ts';
import { absentId, methodsOf } from '#test/sdk/support/operations.ts';
import { serve } from '#test/sdk/support/served.ts';

const sdk = suite<Context>('node-sdk');

sdk.before(async (context) => {
  Object.assign(context, await serve());
  context.clientOf = (key = '') => clientOf(key, context.service);
  context.vault = context.clientOf(context.service.credentials.private);
  context.management = context.clientOf(context.service.credentials.management);
});

sdk.after(({ stop }) => stop());

const idsOf = (list: { data: { id?: string }[] }): string[] => list.data.map(({ id = '' }) => id);

/** All ids of a list, of as many pages as it has. */
const allIdsOf = async (list: AsyncIterable<{ id?: string }>): Promise<string[]> =>
  (await Array.fromAsync(list)).map(({ id = '' }) => id);

sdk(
  'given the library, then every operation on tokens, applications and their keys is tried',
  ({ vault, management }) => {
    const { applications, applicationKeys } = management;
    assert.equal(methodsOf(vault.tokens), Object.keys(tokenOperations(vault, absentId)));
    assert.equal(methodsOf(applications), Object.keys(applicationOperations(management, absentId)));
    assert.equal(methodsOf(applicationKeys), Object.keys(keyOperations(management, absentId, absentId)));
  },
);

sdk(
  'given a card, when it is created, read, changed and deleted, then each call answers as the library expects',
  async ({ vault, management, clientOf }) => {
    const created = await vault.tokens.create({
      id: '{{ data.number | alias_card: true, true }}',
      type: 'card',
      data: card,
      mask: { number: '{{ data.number, reveal_last: 4 }}', code: '{{ data.cvc }}' },
      metadata: { userId: 'Jane Doe' },
      searchIndexes: ['{{ data.expiration_month }}', '{{ data.number | last4 }}'],
      fingerprintExpression: '{{ data.number }}',
      containers: ['/pci/low/'],
      deduplicateToken: false,
      expiresAt: '9/27/2035',
    });
    const id = created.id ?? '';
    assert.match(id, /^42424242\d{4}4242$/);
    // The first leaf of the mask is no expression: it shows nothing, and is kept as it was given.
    assert.equal(created.data, { code: '123' });
    assert.equal(created.mask, { number: '{{ data.number, reveal_last: 4 }}', code: '{{ data.cvc }}' });
    assert.ok(created.createdAt instanceof Date && created.expiresAt instanceof Date);
    assert.is(created.expiresAt.getTime(), Date.UTC(2035, 8, 27));
    assert.equal(await vault.tokens.get(id), created);

    // Other masks, containers and indexes could show more to others: they take a rule that reveals.
    const { key } = await management.applications.create({
      name: 'reveals',
      type: 'private',
      rules: [
        {
          description: 'all',
          priority: 1,
          container: '/',
          transform: 'reveal',
          permissions: ['token:read', 'token:update'],
        },
      ],
    });
    const updated = await clientOf(key).tokens.update(id, {
      data: { expiration_year: 2031 },
      mask: { lastFour: '{{ data.number | last4 }}', year: '{{ data.expiration_year }}', number: null },
      metadata: { tier: 'gold' },
      containers: ['/pci/high/'],
      searchIndexes: ['{{ data.expiration_year }}'],
    });
    assert.equal(updated.data, { code: '123', lastFour: '4242', year: 2031 });
    assert.equal(updated.metadata, { userId: 'Jane Doe', tier: 'gold' });
    assert.equal(updated.containers, ['/pci/high/']);
    assert.equal(updated.searchIndexes, ['{{ data.expiration_year }}']);
    assert.is(updated.fingerprint, created.fingerprint);
    assert.instance(updated.modifiedAt, Date);

    // Answered for tokens alone that are shown and found alike, and need not last longer.
    const { mask, searchIndexes } = updated;
    const twin = {
      ...{ type: 'card', data: card, fingerprintExpression: '{{ data.number }}' },
      ...{ mask, searchIndexes, expiresAt: '2035-09-27T00:00:00Z' },
    };
    const found = await vault.tokens.create({ ...twin, deduplicateToken: true });
    assert.equal([found.id, found.containers], [id, ['/pci/high/']]);

    assert.is(await vault.tokens.delete(id), undefined);
    assert.instance(await failureOf(vault.tokens.get(id)), BasisTheory.NotFoundError);
  },
);

sdk(
  'given several tokens, when they are listed and searched, then filters and pages hold',
  async ({ vault: { tokens } }) => {
    const created: BasisTheory.Token[] = [];
    for (const color of ['red', 'red', 'dark blue']) {
      const token = await tokens.create({
        type: 'token',
        data: `painted ${color}`,
        metadata: { Color: color, place: `hall-${created.length}` },
        searchIndexes: ['{{ data }}'],
        containers: [color === 'red' ? '/gallery/east/' : '/gallery/west/'],
      });
      created.push(token);
    }
    const ids = idsOf({ data: created });
    const newestFirst = ids.toReversed();
    assert.equal(await allIdsOf(await tokens.list({ id: ids, size: 2 })), newestFirst);
    assert.equal(idsOf(await tokens.list({ id: ids, size: 2, page: 2 })), [ids[0]]);
    assert.equal(idsOf(await tokens.list({ id: ids[1] })), [ids[1]]);
    assert.equal(idsOf(await tokens.list({ metadata: { Color: 'DARK blue' }, page: 1, size: 5 })), [ids[2]]);
    assert.equal(idsOf(await tokens.list({ metadata: { Color: 'red', place: 'hall-1' } })), [ids[1]]);

    const reds = { query: 'metadata.Color:RED', size: 1 };
    assert.equal(await allIdsOf(await tokens.search(reds)), [ids[1], ids[0]]);
    assert.equal(idsOf(await tokens.search({ ...reds, page: 2 })), [ids[0]]);
    assert.equal(idsOf(await tokens.search({ query: 'data:"painted dark blue"' })), [ids[2]]);
    assert.equal(idsOf(await tokens.search({ query: `id:${ids[0]}` })), [ids[0]]);

    const gallery = { container: '/gallery/', size: 2 };
    const beginning = await tokens.listV2(gallery);
    assert.equal(idsOf(beginning), newestFirst.slice(0, 2));
    assert.equal(idsOf(await beginning.getNextPage()), [ids[0]]);
    assert.not(beginning.hasNextPage());
    assert.equal(idsOf(await tokens.listV2({ container: '/gallery/west/', type: 'token' })), [ids[2]]);
    assert.equal(idsOf(await tokens.listV2({ container: '/gallery/', type: 'bank' })), []);
    assert.equal(idsOf(await tokens.listV2({ fingerprint: created[2]?.fingerprint })), [ids[2]]);
    assert.equal(idsOf(await tokens.listV2({ metadata: { place: 'hall-0' } })), [ids[0]]);
    assert.equal(await allIdsOf(await tokens.searchV2(reds)), [ids[1], ids[0]]);
  },
);

sdk(
  'given any JSON, when it is tokenized and detokenized, then it is what it was',
  async ({ vault, management, clientOf }) => {
    const tokenized = (await vault.tokens.tokenize({
      firstName: 'John',
      primary_card: { type: 'card', data: card },
    })) as { firstName: string; primary_card: { id: string } };
    const { firstName, primary_card } = tokenized;
    const scope = { priority: 1, container: '/', permissions: ['token:read'] };
    const rule = { description: 'all', transform: 'reveal', ...scope };
    const revealing = await management.applications.create({
      name: 'revealing',
      type: 'private',
      rules: [rule],
    });
    assert.equal(revealing.rules, [rule]);
    const detokenized = await clientOf(revealing.key).tokens.detokenize({
      name: `{{ ${firstName} }}`,
      month: `{{ ${primary_card.id} | json: '$.expiration_month' }}`,
      camelCase: [`Dear {{ ${firstName} }}`, null, 1],
    });
    assert.equal(detokenized, { name: 'John', month: 12, camelCase: ['Dear John', null, 1] });
  },
);

sdk(
  'given an idempotency key, when a call is repeated, then the first success comes again',
  async ({ vault, management }) => {
    const options = { idempotencyKey: 'library-once' };
    const wrong = vault.tokens.create({ type: 'card', data: 'wrong' }, options);
    assert.instance(await failureOf(wrong), BasisTheory.BadRequestError);
    const first = await vault.tokens.create({ type: 'token', data: 1 }, options);
    assert.equal(await vault.tokens.create({ type: 'token', data: 2 }, options), first);
    const id = first.id ?? '';
    const changed = await vault.tokens.update(id, { metadata: { color: 'red' } }, options);
    assert.equal(await vault.tokens.update(id, { metadata: { color: 'blue' } }, options), changed);
    const tokenized = await vault.tokens.tokenize({ name: 'John' }, options);
    assert.equal(await vault.tokens.tokenize({ name: 'Joan' }, options), tokenized);

    const application = await applicationOperations(management, absentId, options).create();
    assert.equal(await applicationOperations(management, absentId, options).create(), application);
    const { update } = applicationOperations(management, application.id ?? '', options);
    assert.equal(await update(), await update());
    const key = await management.applicationKeys.create(application.id ?? '', options);
    assert.equal(await management.applicationKeys.create(application.id ?? '', options), key);
    assert.is((await management.applicationKeys.list(application.id ?? '')).length, 2);
  },
);

sdk(
  'given applications, when every operation is called, then each answers as the library expects',
  async ({ management: { applications }, clientOf }) => {
    const created = await applications.create({
      name: 'Made by the library',
      type: 'private',
      permissions: ['token:read'],
    });
    const id = created.id ?? '';
    assert.equal(
      created.keys?.map(({ key }) => key),
      [created.key],
    );
    assert.instance(created.createdAt, Date);
    const byKey = await clientOf(created.key).applications.getByKey();
    assert.equal([byKey.id, byKey.key, byKey.keys?.[0]?.key], [id, undefined, undefined]);
    assert.equal(await applications.get(id), byKey);

    const keyless = await applications.create({
      name: 'Without a key',
      type: 'public',
      permissions: ['token:create'],
      createKey: false,
    });
    assert.equal([keyless.key, keyless.keys], [undefined, []]);
    const both = [keyless.id ?? '', id];
    assert.equal(await allIdsOf(await applications.list({ id: both, size: 1 })), both);
    assert.equal(idsOf(await applications.list({ id: both, size: 1, page: 2 })), [id]);
    assert.equal(idsOf(await applications.list({ id: both, type: 'public' })), [keyless.id]);

    const changes = { name: 'Changed', permissions: ['token:create'] };
    const { name, permissions, type } = await applications.update(id, changes);
    assert.equal({ name, permissions, type }, { ...changes, type: 'private' });

    assert.is(await applications.delete(id), undefined);
    assert.instance(await failureOf(applications.get(id)), BasisTheory.NotFoundError);
    const orphan = clientOf(created.key).applications.getByKey();
    assert.instance(await failureOf(orphan), BasisTheory.UnauthorizedError);
  },
);

sdk(
  'given the keys of an application, when every operation is called, then they open and close it',
  async ({ management, clientOf }) => {
    const { create } = applicationOperations(management, absentId);
    const { id = '', key: firstKey } = await create();
    const { applicationKeys } = management;
    const added = await applicationKeys.create(id);
    const { key, ...withoutSecret } = added;
    assert.match(key ?? '', /^key_/);
    assert.instance(added.createdAt, Date);
    const keys = await applicationKeys.list(id);
    assert.is(keys.length, 2);
    assert.not(keys.some((entry) => entry.key !== undefined));
    assert.equal(await applicationKeys.get(id, added.id ?? ''), withoutSecret);
    assert.is((await clientOf(key).applications.getByKey()).id, id);

    await applicationKeys.create(id);
    assert.instance(await failureOf(applicationKeys.create(id)), BasisTheory.UnprocessableEntityError);

    assert.is(await applicationKeys.delete(id, added.id ?? ''), undefined);
    const revoked = clientOf(key).applications.getByKey();
    assert.instance(await failureOf(revoked), BasisTheory.UnauthorizedError);
    assert.is((await clientOf(firstKey).applications.getByKey()).id, id);
    const deleted = applicationKeys.get(id, added.id ?? '');
    assert.instance(await failureOf(deleted), BasisTheory.NotFoundError);
  },
);

testRefusals(sdk);

sdk.run();
