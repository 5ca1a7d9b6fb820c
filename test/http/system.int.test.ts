import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { thingRoutes } from '#test/http/support/routes.ts';
import { startService } from '#test/http/support/service.ts';

const test = suite('http: system routes');
const service = await startService(thingRoutes);
const anonymous = { 'BT-API-KEY': '' };
const get = (path: string) => service.call('GET', path, { headers: anonymous });

test('given a living process, then /healthz answers without a key', async () => {
  assert.equal((await get('/healthz')).body, { status: 'alive' });
});

test('given checks that pass, then ready', async () => {
  const answered = await get('/readyz');
  assert.is(answered.status, 200);
  assert.equal(answered.body, { status: 'ready' });
});

test('given checks that fail, throw or hang, then 503 with the reason of each', async () => {
  const unready = await startService([], {
    readiness: [
      { name: 'postgres', check: () => Promise.resolve('not reachable') },
      { name: 'log', check: () => Promise.reject(new Error('secret detail')) },
      { name: 'vault', check: () => new Promise(() => undefined) },
      { name: 'views', check: () => Promise.resolve(undefined) },
    ],
  });
  const answered = await unready.call('GET', '/readyz');
  await unready.close();
  assert.is(answered.status, 503);
  assert.is(answered.headers.get('content-type'), 'application/problem+json');
  assert.equal(answered.body.errors, {
    postgres: ['not reachable'],
    log: ['failed'],
    vault: ['did not answer in time'],
  });
});

test('given requests, then /metrics shows them by pattern', async () => {
  await service.call('GET', '/things/4242424242424242');
  await get('/unknown');
  const { text, headers } = await get('/metrics');
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.match(
    text,
    /http_request_duration_seconds_count\{method="GET",route="\/things\/:id",status="200"\} 1/,
  );
  assert.match(text, /route="unmatched",status="404"/);
  assert.match(text, /process_cpu_seconds_total/);
  assert.not.match(text, /4242424242424242/);
});

test('given a browser, then /docs is a page of our own files under a strict policy', async () => {
  const { status, text, headers } = await get('/docs');
  assert.is(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/html/);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none';script-src 'self';/);
  assert.not.match(policy, /script-src[^;]*unsafe/);
  assert.not.match(text, /<script>|https?:/);
  const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  assert.is(files.length, 4);
  for (const path of files) assert.is((await get(path)).status, 200, path);
  assert.is((await get('/docs/')).status, 200);
});

test('given the script of the page, then it opens our document and asks nobody else', async () => {
  const { text } = await get('/docs/start.js');
  assert.match(text, /url: "\/openapi\.json"/);
  assert.match(text, /validatorUrl: null/);
});

test('given other files, then they are not served', async () => {
  for (const path of [
    '/docs/package.json',
    '/docs/../package.json',
    '/docs/..%2fpackage.json',
    '/docs/toString',
  ]) {
    assert.is((await get(path)).status, 404, path);
  }
});

test('given an address below a path, then the page refers to it', async () => {
  const below = await startService([], { publicUrl: 'https://vault.example/api/' });
  const { text } = await below.call('GET', '/docs');
  await below.close();
  assert.match(text, /src="\/api\/docs\/start\.js"/);
});

test.after(() => service.close());
test.run();
