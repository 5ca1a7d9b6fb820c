import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryRateLimiter } from '#infra/rateLimits/memory.ts';
import { createMetrics } from '#http/metrics.ts';
import { createRateGate } from '#http/request/rateGate.ts';
import { defineRoute } from '#http/route.ts';
import { readConfig } from '#src/config.ts';
import { SettingError } from '#src/settingValues.ts';
import { startService } from '#test/http/support/service.ts';
import type { Service } from '#test/http/support/service.ts';

const test = suite('http: rate limits');

const facts = { summary: 'x', tags: [], responses: { 200: null } } as const;
const routes = [
  defineRoute({
    ...facts,
    method: 'GET',
    path: '/list',
    rateScope: 'token_list',
    handle: () => Promise.resolve({ status: 200, body: 'list' }),
  }),
  defineRoute({
    ...facts,
    method: 'GET',
    path: '/other',
    handle: () => Promise.resolve({ status: 200, body: 'other' }),
  }),
];

/** A service whose limits are small enough to be met. */
async function startLimited(setting: string): Promise<Service & { metricsText(): Promise<string> }> {
  const limits = readConfig({ HOLDFAST_RATE_LIMITS: setting }).rateLimits;
  assert.ok(limits);
  const metrics = createMetrics();
  const rateLimits = createRateGate({ rateLimiter: createMemoryRateLimiter(limits) }, limits, metrics);
  const service = await startService(routes, { rateLimits, metrics });
  return { ...service, metricsText: () => metrics.text() };
}

const statuses = async (service: Service, method: string, path: string, times: number): Promise<number[]> => {
  const answers: number[] = [];
  for (let made = 0; made < times; made++) answers.push((await service.call(method, path)).status);
  return answers;
};

test('given the setting, then it is the figures of the specification unless others are named', () => {
  const limits = (text?: string) => readConfig({ HOLDFAST_RATE_LIMITS: text }).rateLimits;
  const standard = { global: 1_000, portal: 600, token_search: 50, token_list: 100, token_create: 200 };
  assert.equal(limits(), standard);
  assert.equal(limits('on'), standard);
  assert.is(limits('off'), undefined);
  assert.equal(limits('global=5, token_search=7'), { ...standard, global: 5, token_search: 7 });
  for (const wrong of [
    'global',
    'global=',
    'global=0',
    'global=-1',
    'all=5',
    'global=1e3',
    'on,global=5',
    'toString=5',
  ]) {
    assert.throws(
      () => limits(wrong),
      (error: unknown) => error instanceof SettingError,
      wrong,
    );
  }
});

test('given a client within its limits, then every answer says how it stands', async () => {
  const service = await startLimited('global=10,token_list=3');
  const answer = await service.call('GET', '/list');
  assert.is(answer.status, 200);
  assert.is(answer.headers.get('RateLimit-Policy'), '"global";q=10;w=10, "token_list";q=3;w=10');
  assert.is(answer.headers.get('RateLimit'), '"global";r=9;t=10, "token_list";r=2;t=10');
  assert.is(answer.headers.get('Retry-After'), null);
  const other = await service.call('GET', '/other');
  assert.is(other.headers.get('RateLimit'), '"global";r=8;t=10');
  await service.close();
});

test('given a client over a limit, then a problem that says when to go on, and other paths go on', async () => {
  const service = await startLimited('global=100,token_list=2');
  assert.equal(await statuses(service, 'GET', '/list', 3), [200, 200, 429]);
  const refused = await service.call('GET', '/list');
  assert.is(refused.status, 429);
  assert.is(refused.headers.get('Content-Type'), 'application/problem+json');
  assert.equal(Object.keys(refused.body as object), ['title', 'status', 'detail']);
  assert.is(refused.body.title, 'Too Many Requests');
  assert.is(refused.headers.get('Retry-After'), '10');
  assert.match(refused.headers.get('RateLimit') ?? '', /"token_list";r=0;t=10$/);
  assert.is((await service.call('GET', '/other')).status, 200);
  const metrics = await service.metricsText();
  assert.match(metrics, /holdfast_rate_limited_requests_total\{scope="token_list"\} 2/);
  assert.match(metrics, /holdfast_rate_limited_requests_total\{scope="portal"\} 0/);
  await service.close();
});

test('given requests of any kind, then all of them count for the global limit', async () => {
  const service = await startLimited('global=7');
  const made = [
    ...(await statuses(service, 'GET', '/healthz', 1)),
    ...(await statuses(service, 'GET', '/nothing/here', 1)),
    ...(await statuses(service, 'HEAD', '/other', 1)),
    ...(await statuses(service, 'OPTIONS', '/other', 1)),
    ...(await statuses(service, 'DELETE', '/other', 1)),
    ...(await statuses(service, 'GET', '/%ff', 1)),
    ...(await statuses(service, 'GET', '/docs', 1)),
  ];
  assert.equal(made, [200, 404, 200, 204, 405, 400, 200]);
  assert.equal(await statuses(service, 'GET', '/healthz', 2), [429, 429]);
  assert.equal(await statuses(service, 'OPTIONS', '/nothing', 1), [429]);
  await service.close();
});

test('given pages for browsers, then they have a limit of their own', async () => {
  const service = await startLimited('global=100,portal=3');
  const served = [
    '/docs',
    '/docs/',
    '/openapi.json',
    '/docs/start.js',
    '/docs/swagger-ui.css',
    '/OPENAPI.json',
  ];
  const answers = await Promise.all(served.map((path) => service.call('GET', path)));
  assert.is(answers.filter(({ status }) => status === 429).length, 3);
  assert.equal(await statuses(service, 'GET', '/other', 1), [200]);
  await service.close();
});

test('given other spellings of a path, then they count for the same limit', async () => {
  const service = await startLimited('token_list=4');
  assert.is((await service.call('HEAD', '/list')).status, 200);
  assert.is((await service.call('GET', '/LIST')).status, 200);
  assert.is((await service.call('GET', '/list/')).status, 200);
  assert.is((await service.call('GET', '/list?x=1', { headers: { 'BT-API-KEY': 'wrong' } })).status, 401);
  assert.is((await service.call('GET', '/list')).status, 429);
  await service.close();
});

test('given requests in one packet, then each counts', async () => {
  const service = await startLimited('global=5');
  const one = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const received = await service.raw(
    `${one.repeat(9)}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  const lines = received.match(/HTTP\/1\.1 \d+/g) ?? [];
  assert.is(lines.filter((line) => line.endsWith('200')).length, 5);
  assert.is(lines.filter((line) => line.endsWith('429')).length, 5);
  await service.close();
});

test('given a flood without keys, then what is refused leaves nothing in the audit log', async () => {
  const service = await startLimited('token_list=2');
  const headers = { 'BT-API-KEY': 'wrong' };
  for (let made = 0; made < 6; made++) await service.call('GET', '/list', { headers });
  assert.equal(
    service.audit.entries.map(({ status }) => status),
    [401, 401],
  );
  assert.equal(
    service.lines.filter(({ level }) => level !== 'debug'),
    [],
  );
  await service.close();
});

test.run();
