import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryRateLimiter } from '#infra/rateLimits/memory.ts';
import { createMetrics } from '#http/metrics.ts';
import { createRateGate } from '#http/request/rateGate.ts';
import { isReservedInAnswers } from '#src/answerHeaders.ts';
import { readConfig } from '#src/config.ts';
import { thingRoutes } from '#test/http/support/routes.ts';
import { startService } from '#test/http/support/service.ts';

const test = suite('http: other origins and limits');

const limits = readConfig({ HOLDFAST_RATE_LIMITS: 'global=3' }).rateLimits;
assert.ok(limits);
const metrics = createMetrics();
const rateLimits = createRateGate({ rateLimiter: createMemoryRateLimiter(limits) }, limits, metrics);
const service = await startService(thingRoutes, { rateLimits, metrics });

const Origin = 'https://shop.example';
const get = (key: string) =>
  service.call('GET', '/things', { headers: { Origin, 'BT-API-KEY': `key_test_${key}` } });

test('given preflights, then they do not count for any limit', async () => {
  for (let made = 0; made < 10; made++) {
    const headers = { Origin, 'Access-Control-Request-Method': 'POST' };
    assert.is((await service.call('OPTIONS', '/things', { headers })).status, 204);
  }
});

test('given a page over a limit, then it may read when to go on; with a key of a server, never', async () => {
  for (let made = 0; made < 3; made++) await get('pub_x');
  const refused = await get('pub_x');
  assert.is(refused.status, 429);
  assert.is(refused.headers.get('access-control-allow-origin'), '*');
  assert.match(refused.headers.get('access-control-expose-headers') ?? '', 'Retry-After');
  for (const key of ['pvt_x', 'mgt_x']) {
    const other = await get(key);
    assert.equal([other.status, other.headers.get('access-control-allow-origin')], [429, null]);
  }
});

test('given answers of destinations and of code, then they do not say which pages may read them', () => {
  assert.ok(isReservedInAnswers('Access-Control-Allow-Origin'));
  assert.ok(isReservedInAnswers('access-control-allow-credentials'));
});

test.after(() => service.close());
test.run();
