import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineRoute } from '#http/route.ts';
import type { Answer } from '#http/route.ts';
import * as errors from '#src/errors.ts';
import { readerKey, startService } from '#test/http/support/service.ts';
import type { Answered } from '#test/http/support/service.ts';

const test = suite('http: idempotency keys');

type Asked = { method: string; id: string; body: unknown; commandId: string; repeated: boolean };
const asked: Asked[] = [];
let answer: (request: Asked) => Promise<Answer>;

const route = (method: 'POST' | 'PUT' | 'PATCH', sensitive = false) =>
  defineRoute({
    method,
    path: sensitive ? '/secrets/:id' : '/things/:id',
    summary: 'Change a thing',
    tags: [],
    body: Type.Object({ name: Type.String() }),
    responses: { 200: Type.Unknown() },
    sensitive,
    handle: ({ params, body, commandId, repeated }) => {
      const request = { method, id: params.id, body, commandId, repeated };
      asked.push(request);
      return answer(request);
    },
  });
const get = defineRoute({
  method: 'GET',
  path: '/things/:id',
  summary: 'Get a thing',
  tags: [],
  responses: { 200: Type.Unknown() },
  handle: ({ params, commandId, repeated }) => {
    asked.push({ method: 'GET', id: params.id, body: undefined, commandId, repeated });
    return Promise.resolve({ status: 200, body: {} });
  },
});
const service = await startService([route('POST'), route('PUT'), route('PATCH'), route('POST', true), get]);

const send = (
  key: string | undefined,
  name: unknown = 'a',
  path = '/things/1',
  method = 'POST',
  headers: Record<string, string> = {},
): Promise<Answered> =>
  service.call(method, path, {
    body: { name },
    headers: {
      ...(method === 'PATCH' ? { 'Content-Type': 'application/merge-patch+json' } : {}),
      ...(key === undefined ? {} : { 'BT-IDEMPOTENCY-KEY': key }),
      ...headers,
    },
  });

test.before.each(() => {
  asked.length = 0;
  service.lines.length = 0;
  service.idempotency.entries.clear();
  service.idempotency.failure = undefined;
  let number = 0;
  answer = ({ body }) =>
    Promise.resolve({ status: 201, body: { number: (number += 1), body, gone: undefined } });
});

test('given a key, when the request is repeated, then the first answer comes again and nothing runs', async () => {
  const first = await send('k');
  const second = await send('k');
  assert.is(first.status, 201);
  assert.is(second.status, 201);
  assert.is(second.text, first.text);
  assert.is(asked.length, 1);
});

test('given a key, when another body follows, then the first answer comes again', async () => {
  const first = await send('k', 'a');
  assert.is((await send('k', 'b')).text, first.text);
});

test('given no key, then each request runs under a fresh command id', async () => {
  await send(undefined);
  await send('');
  assert.is(asked.length, 2);
  assert.is.not(asked[0]?.commandId, asked[1]?.commandId);
  assert.is(asked[0]?.repeated, false);
});

test('given the header without prefix, then it counts as well', async () => {
  const header = { 'Idempotency-Key': 'k' };
  await send(undefined, 'a', '/things/1', 'POST', header);
  await send(undefined, 'a', '/things/1', 'POST', header);
  assert.is(asked.length, 1);
});

test('given one key, then method, path and application are apart', async () => {
  await send('k');
  await send('k', 'a', '/things/2');
  await send('k', 'a', '/things/1', 'PUT');
  await send('k', 'a', '/things/1', 'PATCH');
  await send('k', 'a', '/things/1', 'POST', { 'BT-API-KEY': readerKey });
  assert.is(asked.length, 5);
  await send('k', 'a', '/things/1/');
  assert.is(asked.length, 5);
});

test('given parameters, then the scope holds them encoded', async () => {
  await send('k', 'a', '/things/a%2Fb%20c');
  assert.is(service.idempotency.scopes.at(-1)?.route, '/things/a%2Fb%20c');
});

test('given a key on GET, then it is not looked at', async () => {
  for (let round = 0; round < 2; round += 1) {
    await service.call('GET', '/things/1', { headers: { 'BT-IDEMPOTENCY-KEY': 'k' } });
  }
  assert.is(asked.length, 2);
});

test('given a refusal, then the key may be used again', async () => {
  answer = () => Promise.reject(new errors.Unprocessable());
  assert.is((await send('k')).status, 422);
  answer = () => Promise.resolve({ status: 201, body: {} });
  assert.is((await send('k')).status, 201);
  assert.is.not(asked[0]?.commandId, asked[1]?.commandId);
});

test('given an answer that is no success, then it is not kept', async () => {
  answer = () => Promise.resolve({ status: 409, body: {} });
  await send('k');
  await send('k');
  assert.is(asked.length, 2);
});

test('given an invalid body, then the key is not claimed', async () => {
  assert.is((await send('k', 1)).status, 400);
  assert.is(service.idempotency.entries.size, 0);
});

test('given a first request under way, then 409', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const { promise: started, resolve: start } = Promise.withResolvers<undefined>();
  answer = () => {
    start(undefined);
    return promise;
  };
  const first = send('k');
  await started;
  const second = await send('k');
  assert.is(second.status, 409);
  assert.is(second.body.title, 'Conflict');
  resolve({ status: 200, body: {} });
  assert.is((await first).status, 200);
});

test('given an open outcome, then the retry runs at once, under the same command id', async () => {
  for (const failure of [new errors.Unavailable(), new TypeError('a bug')]) {
    service.idempotency.entries.clear();
    asked.length = 0;
    answer = () => Promise.reject(failure);
    assert.ok((await send('k')).status >= 500);
    answer = () => Promise.resolve({ status: 201, body: {} });
    assert.is((await send('k')).status, 201);
    assert.is(asked[0]?.commandId, asked[1]?.commandId);
    assert.is(asked[0]?.repeated, false);
    assert.is(asked[1]?.repeated, true);
  }
});

test('given an answer that cannot be kept, then it is answered all the same', async () => {
  service.idempotency.failure = new Error('the vault is gone');
  const answered = await send('k');
  assert.is(answered.status, 201);
  assert.equal(
    service.lines.filter(({ level }) => level === 'warn').map(({ message }) => message),
    ['an answer could not be kept for its idempotency key'],
  );
});

test('given a route whose answers are sensitive, then the port is told', async () => {
  await send('k');
  await send('k', 'a', '/secrets/1');
  assert.equal(
    [...service.idempotency.entries.values()].map(({ sensitive }) => sensitive),
    [false, true],
  );
});

test('given an answer without a body, then it is repeated without one', async () => {
  answer = () => Promise.resolve({ status: 204 });
  assert.is((await send('k')).status, 204);
  const second = await send('k');
  assert.is(second.status, 204);
  assert.is(second.text, '');
});

test('given a key that is too long, then 400 names the header', async () => {
  const answered = await send('x'.repeat(401));
  assert.is(answered.status, 400);
  assert.equal(answered.body.errors, { 'BT-IDEMPOTENCY-KEY': ['must be at most 400 characters long'] });
  assert.is((await send('x'.repeat(400))).status, 201);
});

test.after(() => service.close());
test.run();
