import { randomUUID } from 'node:crypto';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { card } from '#test/sdk/support/card.ts';
import {
  applicationOperations,
  clientOf,
  refusalOf,
  statusOf,
  tokenOperations,
} from '#test/sdk/support/javascript.ts';
import type { Client, Context } from '#test/sdk/support/javascript.ts';
import { absentId } from '#test/sdk/support/operations.ts';
import { openTap } from '#test/sdk/support/tap.ts';

/** Tests what the library is told when it may not have what it asks for, and under which trace. */
export function testRefusals(sdk: Test<Context>): void {
  sdk('given a trace id, when any operation is called, then the answer carries it', async ({ service }) => {
    const tap = await openTap(service.port);
    const client = await clientOf('key_unknown', tap);
    const options = { correlationId: randomUUID(), idempotencyKey: randomUUID() };
    const operations = [
      ...Object.values(tokenOperations(client, absentId, options)),
      ...Object.values(applicationOperations(client, absentId, options)),
      () => client.tokenize({ name: 'John' }, options),
    ];
    for (const run of operations) assert.is(await statusOf(run()), 401);
    const known = { apiKey: service.credentials.private, correlationId: 'a trace of my own' };
    await client.tokens.create({ type: 'token', data: 1 }, known);
    await client.tokens.list({}, { apiKey: known.apiKey });
    await tap.close();
    const unnamed = tap.exchanges.pop()?.answered['bt-trace-id'];
    assert.match(String(unnamed), /^[0-9a-f]{8}-/);
    const named = tap.exchanges.pop();
    assert.equal([named?.status, named?.answered['bt-trace-id']], [201, known.correlationId]);
    assert.is(tap.exchanges.length, operations.length);
    for (const { sent, answered } of tap.exchanges) {
      assert.is(answered['bt-trace-id'], options.correlationId);
      assert.is(sent['bt-idempotency-key'], options.idempotencyKey);
    }
  });

  sdk('given what is wrong, then the library can tell what and where', async ({ vault, management }) => {
    const number = '4242424242424241';
    const invalid = await refusalOf(vault.tokens.create({ type: 'card', data: { ...card, number } }));
    assert.equal([invalid.status, invalid.data.status], [400, 400]);
    assert.is(invalid.data.title, 'One or more validation errors occurred.');
    assert.equal(Object.keys(invalid.data.errors ?? {}), ['dataNumber']);
    assert.not.match(JSON.stringify(invalid.data), number);

    const taken = await vault.tokens.create({ type: 'token', data: 1, id: randomUUID() });
    const wrong = wrongOperations(vault, management, taken.id);
    for (const [status, run] of wrong) {
      const { data, ...refusal } = await refusalOf(run());
      assert.equal([refusal.status, data.status], [status, status]);
      assert.ok(data.title);
      assert.ok(data.detail);
    }
  });

  sdk(
    'given rights or things that are missing, then each operation says which',
    async ({ vault, management }) => {
      const { retrieveByKey, ...forbidden } = applicationOperations(vault, absentId);
      for (const run of [
        ...Object.values(tokenOperations(management, absentId)),
        ...Object.values(forbidden),
      ]) {
        assert.is(await statusOf(run()), 403);
      }
      assert.is(await statusOf(management.tokenize({ name: 'John' })), 403);
      assert.is((await retrieveByKey()).type, 'private');

      const tokens = tokenOperations(vault, absentId);
      const applications = applicationOperations(management, absentId);
      const { retrieve, update, regenerateKey } = applications;
      const absent = [tokens.retrieve, tokens.update, tokens.delete, retrieve, update, regenerateKey];
      for (const run of [...absent, applications.delete]) assert.is(await statusOf(run()), 404);
    },
  );
}

/** Calls that are refused for what they say, each after its status. `taken` is the id of a token. */
const wrongOperations = (
  vault: Client,
  { applications }: Client,
  taken: string,
): [number, () => Promise<unknown>][] => [
  [400, () => vault.tokens.update(taken, { containers: ['no container'] })],
  [400, () => vault.tokens.list({ size: 101 })],
  [400, () => vault.tokens.search({ query: 'nonsense' })],
  [400, () => vault.tokens.search({ query: 'data:a NOT data:b' })],
  [400, () => vault.tokenize({ card: { type: 'card', data: { number: '1' } } })],
  [400, () => applications.create({ name: 'bare', type: 'private', permissions: [] })],
  [400, () => applications.create({ name: 'not held', type: 'management', permissions: ['token:read'] })],
  [400, () => applications.create({ name: 'unknown', type: 'private', permissions: ['token:paint'] })],
  [409, () => vault.tokens.create({ type: 'token', data: 1, id: taken })],
  [409, () => vault.tokenize([{ type: 'token', data: 1, id: taken }])],
];
