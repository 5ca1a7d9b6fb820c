import { randomUUID } from 'node:crypto';
import { BasisTheory, BasisTheoryError } from '@basis-theory/node-sdk';
import type { BasisTheoryClient } from '@basis-theory/node-sdk';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { card } from '#test/sdk/support/card.ts';
import { failureOf } from '#test/sdk/support/failure.ts';
import { applicationOperations, clientOf, keyOperations, tokenOperations } from '#test/sdk/support/node.ts';
import type { Context } from '#test/sdk/support/node.ts';
import { absentId } from '#test/sdk/support/operations.ts';
import { openTap } from '#test/sdk/support/tap.ts';

/** Tests which errors of the library answers become, and under which trace. */
export function testRefusals(sdk: Test<Context>): void {
  sdk('given a trace id, when any operation is called, then the answer carries it', async ({ service }) => {
    const tap = await openTap(service.port);
    const [trace, idempotencyKey] = [randomUUID(), randomUUID()];
    const client = clientOf('key_unknown', tap, trace);
    const operations = allOperations(client, { idempotencyKey });
    for (const run of operations) assert.instance(await failureOf(run()), BasisTheory.UnauthorizedError);
    const key = service.credentials.private;
    await clientOf(key, tap, 'a trace of my own').tokens.create({ type: 'token', data: 1 });
    await clientOf(key, tap).tokens.list();
    await tap.close();
    const traces = tap.exchanges.map(({ answered }) => answered['bt-trace-id']);
    assert.match(String(traces.pop()), /^[0-9a-f]{8}-/);
    assert.is(traces.pop(), 'a trace of my own');
    assert.equal(
      traces,
      operations.map(() => trace),
    );
    const keyed = tap.exchanges.filter(({ sent }) => sent['bt-idempotency-key'] === idempotencyKey);
    assert.equal([...new Set(keyed.map(({ method }) => method))].sort(), ['PATCH', 'POST', 'PUT']);
  });

  sdk('given what is wrong, then the library can tell what and where', async ({ vault, management }) => {
    const number = '4242424242424241';
    const invalid = await failureOf(vault.tokens.create({ type: 'card', data: { ...card, number } }));
    if (!(invalid instanceof BasisTheory.BadRequestError)) throw invalid;
    const { title, status, detail, errors = {} } = invalid.body as BasisTheory.ValidationProblemDetails;
    assert.equal([title, status], ['One or more validation errors occurred.', 400]);
    assert.ok(detail);
    assert.equal(Object.keys(errors), ['data.number']);
    assert.not.match(JSON.stringify(invalid.body), number);

    const taken = { type: 'token', data: 1, id: randomUUID() };
    await vault.tokens.create(taken);
    for (const run of wrongOperations(vault, management, taken.id)) {
      assert.instance(await failureOf(run()), BasisTheory.BadRequestError);
    }
    assert.instance(await failureOf(vault.tokens.create(taken)), BasisTheory.ConflictError);
    assert.instance(await failureOf(vault.tokens.tokenize([taken])), BasisTheory.ConflictError);
  });

  sdk('given no right, then every operation is forbidden', async ({ vault, management }) => {
    const { getByKey, ...applications } = applicationOperations(vault, absentId);
    const operations = [
      ...Object.values(tokenOperations(management, absentId)),
      ...Object.values(applications),
      ...Object.values(keyOperations(vault, absentId, absentId)),
    ];
    for (const run of operations) {
      const failure = await failureOf(run());
      if (!(failure instanceof BasisTheory.ForbiddenError)) throw failure;
      const { status, title, detail } = failure.body as BasisTheory.ProblemDetails;
      assert.equal([status, title], [403, 'Forbidden']);
      assert.ok(detail);
    }
    assert.is((await getByKey()).type, 'private');
  });

  sdk('given nothing of an id, then it is not found', async ({ vault, management }) => {
    const tokens = tokenOperations(vault, absentId);
    const applications = applicationOperations(management, absentId);
    const keys = keyOperations(management, absentId, absentId);
    const { id = '' } = await management.applications.getByKey();
    const keysOfOne = keyOperations(management, id, absentId);
    const absent = [
      ...[tokens.get, tokens.update, tokens.delete],
      ...[applications.get, applications.update, applications.delete],
      ...[keys.list, keys.get, keys.delete, keysOfOne.get, keysOfOne.delete],
    ];
    for (const run of absent) assert.instance(await failureOf(run()), BasisTheory.NotFoundError);
    // The library has no error of its own for this one.
    const failure = await failureOf(keys.create());
    if (!(failure instanceof BasisTheoryError)) throw failure;
    assert.is(failure.statusCode, 404);
  });
}

const allOperations = (client: BasisTheoryClient, options: { idempotencyKey: string }) => [
  ...Object.values(tokenOperations(client, absentId, options)),
  ...Object.values(applicationOperations(client, absentId, options)),
  ...Object.values(keyOperations(client, absentId, absentId, options)),
];

/** Calls that are refused for what they say. `id` is that of a token. */
const wrongOperations = (
  { tokens }: BasisTheoryClient,
  { applications }: BasisTheoryClient,
  id: string,
): (() => Promise<unknown>)[] => [
  () => tokens.update(id, { containers: ['no container'] }),
  () => tokens.search({ query: 'data:a NOT data:b' }),
  () => tokens.searchV2({ query: 'nonsense' }),
  () => tokens.tokenize({ card: { type: 'card', data: { number: '1' } } }),
  () => tokens.detokenize({ unknown: `{{ ${absentId} }}` }),
  () => applications.create({ name: 'bare', type: 'private', permissions: [] }),
  () => applications.create({ name: 'not held', type: 'management', permissions: ['token:read'] }),
  () => applications.update(absentId, { name: '', permissions: ['application:read'] }),
];
