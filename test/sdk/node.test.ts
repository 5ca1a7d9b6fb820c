import { BasisTheory, BasisTheoryClient } from '@basis-theory/node-sdk';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newDataDirectory, removeDataDirectory, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';

type Context = {
  directory: string;
  service: ServiceProcess;
  vault: BasisTheoryClient;
  management: BasisTheoryClient;
  clientOf(apiKey: string): BasisTheoryClient;
};

const sdk = suite<Context>('node-sdk');

sdk.before(async (context) => {
  context.directory = await newDataDirectory();
  context.service = await startService(context.directory);
  const { credentials, url: environment } = context.service;
  context.clientOf = (apiKey) => new BasisTheoryClient({ apiKey, environment, correlationId: 'a-trace' });
  context.vault = context.clientOf(credentials.private);
  context.management = context.clientOf(credentials.management);
});

sdk.after(async ({ service, directory }) => {
  await service.end();
  await removeDataDirectory(directory);
});

const failureOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => assert.unreachable('it should have failed'),
    (error: unknown) => error,
  );

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };

sdk(
  'given a card, when it is created, read, changed and deleted, then each call answers as the library expects',
  async ({ vault }) => {
    const created = await vault.tokens.create({
      id: '{{ data.number | alias_card: true, true }}',
      type: 'card',
      data: card,
      mask: { number: '{{ data.number, reveal_last: 4 }}', cvc: '{{ data.cvc }}' },
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
    assert.equal(created.data, { cvc: '123' });
    assert.equal(created.mask, { number: '{{ data.number, reveal_last: 4 }}', cvc: '{{ data.cvc }}' });
    assert.ok(created.createdAt instanceof Date && created.expiresAt instanceof Date);
    const read = await vault.tokens.get(id);
    assert.equal([read.type, read.containers], ['card', ['/pci/low/']]);
    const updated = await vault.tokens.update(id, {
      data: { expiration_year: 2031 },
      mask: { year: '{{ data.expiration_year }}', number: null, cvc: null },
      metadata: { tier: 'gold' },
    });
    assert.equal(updated.data, { year: 2031 });
    assert.equal(updated.metadata, { userId: 'Jane Doe', tier: 'gold' });
    await vault.tokens.delete(id);
    assert.instance(await failureOf(vault.tokens.get(id)), BasisTheory.NotFoundError);
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
      ids.push(token.id ?? '');
    }
    const seen: (string | undefined)[] = [];
    for await (const token of await vault.tokens.list({ id: ids, size: 2 })) seen.push(token.id);
    assert.equal(seen, ids.toReversed());
    const blue = await vault.tokens.list({ metadata: { Color: 'DARK blue' }, page: 1, size: 5 });
    assert.equal(
      blue.data.map(({ id }) => id),
      [ids[2]],
    );
    const found = await vault.tokens.search({ query: 'data:"painted dark blue"', page: 1, size: 5 });
    assert.equal(
      found.data.map(({ id }) => id),
      [ids[2]],
    );
  },
);

sdk(
  'given any JSON, when it is tokenized and detokenized, then it is what it was',
  async ({ service, vault, management, clientOf }) => {
    const tokenized = (await vault.tokens.tokenize(
      { first_name: 'John', primary_card: { type: 'card', data: card } },
      { idempotencyKey: 'tokenize-by-library' },
    )) as { first_name: string; primary_card: { id: string } };
    const revealing = await management.applications.create({
      name: 'revealing',
      type: 'private',
      rules: [
        {
          description: 'all',
          priority: 1,
          container: '/',
          transform: 'reveal',
          permissions: ['token:read'],
        },
      ],
    });
    const detokenized = await clientOf(revealing.key ?? '').tokens.detokenize({
      name: `{{ ${tokenized.first_name} }}`,
      month: `{{ ${tokenized.primary_card.id} | json: '$.expiration_month' }}`,
    });
    assert.equal(detokenized, { name: 'John', month: 12 });
    assert.ok(service);
  },
);

sdk(
  'given an idempotency key, when a call is repeated, then the first answer comes again',
  async ({ vault }) => {
    const options = { idempotencyKey: 'library-once' };
    const first = await vault.tokens.create({ type: 'token', data: 1 }, options);
    const again = await vault.tokens.create({ type: 'token', data: 2 }, options);
    assert.is(again.id, first.id);
  },
);

sdk(
  'given what is wrong, then each answer becomes its own error',
  async ({ vault, management, clientOf }) => {
    const invalid = await failureOf(vault.tokens.create({ type: 'card', data: { ...card, number: '1' } }));
    assert.instance(invalid, BasisTheory.BadRequestError);
    const taken = { type: 'token', data: 1, id: 'taken-by-library' };
    await vault.tokens.create(taken);
    assert.instance(await failureOf(vault.tokens.create(taken)), BasisTheory.ConflictError);
    assert.instance(await failureOf(management.tokens.list()), BasisTheory.ForbiddenError);
    assert.instance(await failureOf(clientOf('key_unknown').tokens.list()), BasisTheory.UnauthorizedError);
    assert.instance(
      await failureOf(vault.tokens.search({ query: 'data:a OR data:b' })),
      BasisTheory.BadRequestError,
    );
  },
);

sdk(
  'given applications and keys, when every operation is called, then each answers as the library expects',
  async ({ management, clientOf }) => {
    const created = await management.applications.create({
      name: 'Made by the library',
      type: 'private',
      permissions: ['token:read'],
    });
    const id = created.id ?? '';
    assert.is(created.keys?.[0]?.key, created.key);
    assert.is((await clientOf(created.key ?? '').applications.getByKey()).id, id);
    assert.is((await management.applications.get(id)).name, 'Made by the library');
    const listed = await management.applications.list({ id, type: 'private' });
    assert.equal(
      listed.data.map((application) => application.id),
      [id],
    );
    const updated = await management.applications.update(id, {
      name: 'Changed',
      permissions: ['token:create'],
    });
    assert.equal([updated.name, updated.permissions], ['Changed', ['token:create']]);

    const key = await management.applicationKeys.create(id);
    assert.match(key.key ?? '', /^key_/);
    const keys = await management.applicationKeys.list(id);
    assert.is(keys.length, 2);
    const one = await management.applicationKeys.get(id, key.id ?? '');
    assert.equal([one.id, one.key], [key.id, undefined]);
    await management.applicationKeys.delete(id, key.id ?? '');
    assert.instance(
      await failureOf(management.applicationKeys.get(id, key.id ?? '')),
      BasisTheory.NotFoundError,
    );
    await management.applicationKeys.create(id);
    await management.applicationKeys.create(id);
    assert.instance(
      await failureOf(management.applicationKeys.create(id)),
      BasisTheory.UnprocessableEntityError,
    );
    await management.applications.delete(id);
    assert.instance(await failureOf(management.applications.get(id)), BasisTheory.NotFoundError);
  },
);

sdk.run();
