import { Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '#http/app.ts';
import { createDispatch } from '#http/dispatch.ts';
import { createMetrics } from '#http/metrics.ts';
import { createRateGate } from '#http/request/rateGate.ts';
import { createMemoryRateLimiter } from '#infra/rateLimits/memory.ts';
import { standardRateLimits } from '#src/rateLimits.ts';
import { defineRoute } from '#http/route.ts';
import type { Content } from '#http/route.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { InnerRequest, Origin } from '#ports/dispatch.ts';
import { MemoryAudit, nothingKnown, systemClock } from '#test/http/support/memoryAudit.ts';
import { MemoryIdempotency } from '#test/http/support/memoryIdempotency.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { nothingParked } from '#test/http/support/nothingParked.ts';

const facts = { summary: 'x', tags: [], responses: { 200: null } };
const big = 'x'.repeat(5 * 1_048_576);
const stream = Readable.from(['x']);
const endless = Readable.from(forever());

function* forever(): Generator<string> {
  for (;;) yield big;
}

const contents: Record<string, Content['data']> = {
  text: 'a,b',
  bytes: Buffer.from('ä'),
  big,
  bigger: `${big}x`,
  stream,
  endless,
};
const audit = new MemoryAudit();

const routes = [
  defineRoute({
    ...facts,
    method: 'POST',
    path: '/echo',
    body: Type.Unknown(),
    query: Type.Object({ q: Type.Optional(Type.String()) }),
    handle: ({ body, query, traceId, address, lent, caller }) =>
      Promise.resolve({
        status: 200,
        headers: { 'X-Echo': 'yes' },
        body: { body, query, traceId, address, lent, applicationId: caller.applicationId },
      }),
  }),
  defineRoute({
    ...facts,
    method: 'DELETE',
    path: '/echo',
    handle: () => Promise.resolve({ status: 204 }),
  }),
  defineRoute({
    ...facts,
    method: 'GET',
    path: '/content/:kind',
    handle: ({ params: { kind } }) =>
      Promise.resolve({
        status: 200,
        content: {
          type: 'text/csv',
          data: contents[kind] ?? '',
        },
      }),
  }),
  defineRoute({
    ...facts,
    method: 'GET',
    path: '/open',
    authenticated: false,
    handle: () => Promise.resolve({ status: 200 }),
  }),
  defineRoute({
    ...facts,
    method: 'GET',
    path: '/broken',
    handle: () => Promise.reject(new Error('with a secret')),
  }),
];

// One request of a client, and none more: what code calls must not count.
const limits = { ...standardRateLimits, global: 1 };
const metrics = createMetrics();

const dispatch = createDispatch({
  logger: silentLogger,
  app: createApp({
    routes,
    accessDirectory: { find: () => assert.unreachable() as never },
    idempotency: new MemoryIdempotency(),
    audit,
    clock: systemClock,
    knowsToken: nothingKnown,
    logger: silentLogger,
    publicUrl: 'http://localhost:3000',
    readiness: [],
    metrics,
    rateLimits: createRateGate({ rateLimiter: createMemoryRateLimiter(limits) }, limits, metrics),
    trustedProxies: [],
    views: nothingParked,
  }),
});

const caller: Caller = {
  tenantId: randomUUID(),
  applicationId: randomUUID(),
  keyId: '',
  type: 'private',
  permissions: [],
  rules: [],
  tenantSettings: {},
};
const origin: Origin = { traceId: randomUUID(), address: '203.0.113.7', depth: 1 };
const json = { 'Content-Type': 'application/json' };
const call = (request: Partial<InnerRequest>, depth = 1) =>
  dispatch(
    caller,
    { method: 'POST', path: '/echo', query: '', headers: json, body: {}, ...request },
    { ...origin, depth },
  );

const test = suite('bt: requests that come over no connection');

test('given a request, when it is served, then the route sees what one over a connection would', async () => {
  const body = { __proto__x: 1, text: 'ä€😀', list: [null, 1.5] };
  const answer = await call({ query: 'q=a%20b', body });
  assert.is(answer.status, 200);
  assert.equal(answer.body, {
    body,
    query: { q: 'a b' },
    traceId: origin.traceId,
    address: origin.address,
    lent: { depth: 1 },
    applicationId: caller.applicationId,
  });
  assert.is(answer.headers['x-echo'], 'yes');
  assert.is(answer.headers['bt-trace-id'], origin.traceId);
});

test('given an answer without a body, then there is none', async () => {
  const answer = await call({ method: 'DELETE', body: undefined, headers: {} });
  assert.equal([answer.status, answer.body], [204, undefined]);
});

test('given a trace id of its own, then the request is traced by it', async () => {
  const traceId = randomUUID();
  const answer = await call({ headers: { ...json, 'Bt-Trace-Id': traceId } });
  assert.is(answer.headers['bt-trace-id'], traceId);
  assert.is((answer.body as Origin).traceId, traceId);
});

test('given what is wrong with a request, then the answer is as over a connection', async () => {
  const statusOf = async (request: Partial<InnerRequest>) => (await call(request)).status;
  assert.is(await statusOf({ body: 'x'.repeat(1_048_576) }), 413);
  assert.is(await statusOf({ body: 'x'.repeat(1_048_576 - 2) }), 200);
  assert.is(await statusOf({ body: undefined }), 400);
  assert.is(await statusOf({ headers: { 'content-type': 'text/plain' } }), 415);
  assert.is(await statusOf({ headers: {} }), 415);
  assert.is(await statusOf({ path: '/nothing' }), 404);
  assert.is(await statusOf({ method: 'PUT' }), 405);
  assert.is(await statusOf({ method: 'GET', path: '/broken' }), 500);
  assert.is(await statusOf({ path: '/%ff' }), 400);
  const deep = JSON.parse('['.repeat(65) + ']'.repeat(65)) as unknown;
  assert.is(await statusOf({ body: deep }), 400);
});

test('given what HTTP cannot carry, then it is not even tried', async () => {
  for (const request of [
    { method: 'CONNECT' },
    { method: 'get' },
    { path: 'echo' },
    { path: '/e cho' },
    { path: '/echo?q=1' },
    { path: '/echo#x' },
    { path: '/echo\r\n' },
    { query: 'q=\n' },
    { query: 'q=ä' },
    { headers: { 'BT-TRACE-ID': 'a\r\nb: c' } },
    // Code may write past the library.
    { method: ['GET'] },
    { path: ['/echo'] },
    { path: undefined },
    { query: null },
    { headers: null },
    { body: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown },
    { headers: { 'BT-TRACE-ID': 1 } },
    { headers: { 'BT-TRACE-ID': {} } },
  ]) {
    const answer = await call(request as Partial<InnerRequest>);
    assert.is(answer.status, 0);
    assert.type(answer.body, 'string');
  }
});

test('given headers that only the service sets, then they do not pass', async () => {
  const forged = {
    ...json,
    'Content-Encoding': 'gzip',
    'Content-Length': '3',
    'Transfer-Encoding': 'chunked',
    'BT-API-KEY': 'key',
  };
  assert.is((await call({ headers: forged })).status, 200);
});

test('given an idempotency key, then the kept answer is told again', async () => {
  const headers = { ...json, 'Idempotency-Key': 'once' };
  const first = await call({ headers, body: { number: 1 } });
  assert.equal((await call({ headers, body: { number: 2 } })).body, first.body);
});

test('given other content than JSON, then text passes up to 5 MiB, also of a stream', async () => {
  const get = (kind: string) =>
    call({ method: 'GET', path: `/content/${kind}`, headers: {}, body: undefined });
  assert.is((await get('text')).body, 'a,b');
  assert.is((await get('bytes')).body, 'ä');
  assert.is((await get('big')).status, 200);
  assert.is((await get('bigger')).status, 0);
  assert.is((await get('stream')).body, 'x');
  assert.is((await get('endless')).status, 0);
  assert.ok(endless.destroyed);
  assert.is((await call({ body: undefined, method: 'GET', path: '/openapi.json' })).status, 404);
});

test('given limits on requests, then what code calls does not count', async () => {
  for (let made = 0; made < 5; made++) assert.is((await call({})).status, 200);
});

test('given what needs no key, then code has no business there', async () => {
  for (const path of ['/open', '/healthz', '/metrics']) {
    assert.is((await call({ method: 'GET', path, headers: {}, body: undefined })).status, 404);
  }
});

test('given reactors inside each other, then the fourth may call nothing, which is written down', async () => {
  assert.is((await call({}, 3)).status, 200);
  const { length } = audit.entries;
  const refused = await call({}, 4);
  assert.is(refused.status, 400);
  assert.equal(Object.keys((refused.body as { errors: object }).errors), ['depth']);
  assert.is(audit.entries.length, length + 1);
  assert.is(audit.entries.at(-1)?.outcome, 'refused');
});

test.run();
