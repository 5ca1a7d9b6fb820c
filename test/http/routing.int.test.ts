import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openGate } from '#http/request/rateGate.ts';
import { createRouting } from '#http/router.ts';
import { createThing, thingRoutes } from '#test/http/support/routes.ts';
import { nothingKnown, systemClock } from '#test/http/support/memoryAudit.ts';
import { startService } from '#test/http/support/service.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { nothingParked } from '#test/http/support/nothingParked.ts';

const test = suite('http: routing');
const service = await startService(thingRoutes);

test('given an unknown path, then 404 with a problem body', async () => {
  const answered = await service.call('GET', '/nothing');
  assert.is(answered.status, 404);
  assert.is(answered.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(answered.body, { title: 'Not Found', status: 404, detail: 'There is no such resource.' });
});

test('given a known path, when another method is used, then 405 names the allowed ones', async () => {
  const answered = await service.call('DELETE', '/things');
  assert.is(answered.status, 405);
  assert.is(answered.headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
  assert.is(answered.body.title, 'Method Not Allowed');
});

test('given OPTIONS, then 204 names the methods', async () => {
  const answered = await service.call('OPTIONS', '/things/1');
  assert.is(answered.status, 204);
  assert.is(answered.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS, PATCH');
});

test('given HEAD, then the headers of GET without its body', async () => {
  const answered = await service.call('HEAD', '/things/1');
  assert.is(answered.status, 200);
  assert.is(answered.text, '');
  assert.ok(Number(answered.headers.get('content-length')) > 0);
});

test('given trailing slashes, then they are tolerated', async () => {
  assert.is((await service.call('GET', '/things/?page=2')).body.page, 2);
  assert.is((await service.call('POST', '/things/', { body: { type: 'token', data: 1 } })).status, 201);
  assert.is((await service.call('GET', '/things/1/')).body.id, '1');
});

test('given a fixed segment and a parameter, then the fixed one wins, in whatever order they were given', async () => {
  assert.is((await service.call('GET', '/things/own')).body, 'own');
});

test('given other case, then the route is found all the same', async () => {
  assert.is((await service.call('GET', '/Things/X')).body.id, 'X');
});

test('given an encoded parameter, then it is decoded once', async () => {
  assert.is((await service.call('GET', '/things/a%20b%40c%25d')).body.id, 'a b@c%d');
  assert.is((await service.call('GET', '/things/a%2Fb')).body.id, 'a/b');
});

test('given malformed percent-encoding in a path, then 400 and not another path', async () => {
  for (const path of ['/things/%', '/things/%zz', '/things/%ff', '/things/%ed%a0%80']) {
    const answered = await service.call('GET', path);
    assert.is(answered.status, 400, path);
    assert.equal(answered.body.errors, { path: ['must be percent-encoded UTF-8'] });
  }
});

test('given a NUL in a path, then 400', async () => {
  const answered = await service.call('GET', '/things/a%00b');
  assert.is(answered.status, 400);
  assert.equal(answered.body.errors, { path: ['must not hold a NUL character'] });
});

test('given odd targets, then a problem and never a 500', async () => {
  for (const target of [
    '//',
    '///things',
    '*',
    '/things//1',
    '/;',
    '/?',
    '/%2e%2e/x',
    'http://other/things/1',
  ]) {
    const answer = await service.raw(
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nBT-API-KEY: key_test_private\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 (200|404) /, target);
  }
});

test('given two routes of one method and path, then the service cannot be made', () => {
  const { idempotency, audit } = service;
  const dependencies = {
    idempotency,
    audit,
    clock: systemClock,
    knowsToken: nothingKnown,
    rateLimits: openGate,
    views: nothingParked,
    logger: silentLogger,
    accessDirectory: { find: () => Promise.resolve(undefined) },
  };
  assert.throws(() => createRouting([createThing, createThing], dependencies), 'two routes for POST /things');
});

test.after(() => service.close());
test.run();
