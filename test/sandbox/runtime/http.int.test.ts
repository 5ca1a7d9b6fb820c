import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FetchAnswer, FetchFailure, FetchRequest } from '#infra/sandbox/host/contract.ts';
import { valueOf } from '#test/sandbox/runtime/support/runtime.ts';
import { gzipSync } from 'node:zlib';

const test = suite('runtime: calls to the outside');

const answer = (status: number, body: string | Buffer = '', ...headers: [string, string][]): FetchAnswer => ({
  status,
  headers,
  body: Buffer.from(body).toString('base64'),
});

/** A site of a few addresses; `/echo` tells what reached it. */
function site(request: FetchRequest): FetchAnswer | FetchFailure | Promise<FetchAnswer> {
  const { pathname } = new URL(request.url);
  const json: [string, string] = ['Content-Type', 'application/json'];
  if (pathname === '/redirect') return answer(302, '', ['Location', '/echo?redirected']);
  if (pathname === '/slow') return new Promise((resolve) => setTimeout(resolve, 400, answer(200)));
  if (pathname === '/missing') return answer(404, '{"reason":"gone"}', json);
  if (pathname === '/gzip') return answer(200, gzipSync('unpacked'), ['content-encoding', 'gzip']);
  if (pathname === '/large') return answer(200, 'x'.repeat(200_000));
  if (pathname === '/cookies') {
    return answer(200, '', ['Set-Cookie', 'a=1'], ['Set-Cookie', 'b=2'], ['X-A', '1'], ['x-a', '2']);
  }
  if (pathname === '/refused') return { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' };
  const body = request.body === undefined ? null : Buffer.from(request.body, 'base64').toString();
  const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
  return answer(200, JSON.stringify({ url: request.url, method: request.method, headers, body }), json);
}
const run = (body: string): Promise<unknown> => valueOf(body, {}, { fetch: site });

test('given https, when a request is written and its answer read, then both are streams', async () => {
  const body = `
    const https = require('https');
    const read = (res) => new Promise((done, fail) => { let text = ''; res.setEncoding('utf8'); res.on('data', (d) => text += d);
      res.on('end', () => done([res.statusCode, res.statusMessage, res.headers['content-type'], text])); res.on('error', fail) });
    const posted = await new Promise((done, fail) => {
      const req = https.request({ hostname: 'shop.example', port: 8443, path: '/echo?a=1', method: 'POST', auth: 'u:p',
        headers: { 'Content-Type': 'text/plain', 'X-Many': ['1', '2'] } }, (res) => done(read(res)));
      req.on('error', fail); req.write('one '); req.write(Buffer.from('two')); req.end();
    });
    const got = await new Promise((done) => https.get('https://shop.example/large', (res) => done(read(res))));
    const cookies = await new Promise((done) => https.get(new URL('https://shop.example/cookies'), (res) => { res.resume(); done(res.headers) }));
    return [posted, got[3].length, cookies]`;
  const [posted, length, cookies] = (await run(body)) as [string[], number, unknown];
  assert.equal(posted.slice(0, 3), [200, 'OK', 'application/json']);
  assert.equal(JSON.parse(posted[3] ?? ''), {
    url: 'https://shop.example:8443/echo?a=1',
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'x-many': '2', authorization: 'Basic dTpw' },
    body: 'one two',
  });
  assert.is(length, 200_000);
  assert.equal(cookies, { 'set-cookie': ['a=1', 'b=2'], 'x-a': '1, 2' });
});

test('given https, when a request fails, is destroyed or takes too long, then it says so as Node does', async () => {
  const body = `
    const https = require('https');
    const end = (url, options, act = () => {}) => new Promise((done) => {
      const events = []; const req = https.get(url, options, (res) => { events.push('response'); res.resume() });
      for (const e of ['abort', 'timeout']) req.on(e, () => events.push(e));
      req.on('error', (e) => events.push(e.code)); req.on('close', () => done(events)); act(req);
    });
    const code = (f) => { try { f() } catch (e) { return e.code } };
    const controller = new AbortController();
    return [
      await end('https://shop.example/refused', {}),
      await end('https://shop.example/slow', {}, (req) => setTimeout(() => req.destroy(), 5)),
      await end('https://shop.example/slow', { timeout: 5 }, (req) => req.on('timeout', () => req.destroy(new Error('x')))),
      await end('https://shop.example/slow', { signal: controller.signal }, () => setTimeout(() => controller.abort(), 5)),
      code(() => https.get('nonsense')), code(() => https.get({ host: 'a', pfx: 'c' })),
      code(() => https.get({ host: 'a', headers: { 'a\\n': 'b' } })), code(() => https.get({ host: 'a', path: '/ a' })),
    ]`;
  assert.equal(await run(body), [
    ['ECONNREFUSED'],
    ['ECONNRESET'],
    ['timeout', null],
    ['ABORT_ERR'],
    'ERR_INVALID_URL',
    'ERR_FEATURE_UNAVAILABLE',
    'ERR_INVALID_HTTP_TOKEN',
    'ERR_UNESCAPED_CHARACTERS',
  ]);
});

test('given node-fetch, when it calls, then answers, redirects and failures are as ever', async () => {
  const body = `
    const fetch = require('node-fetch');
    const posted = await fetch('https://shop.example/echo', { method: 'POST', body: JSON.stringify({ a: 1 }), headers: { 'Content-Type': 'application/json' } });
    const form = await fetch('https://shop.example/echo', { method: 'POST', body: new URLSearchParams({ a: 'b c' }) }).then((r) => r.json());
    const redirected = await fetch('https://shop.example/redirect');
    const missing = await fetch('https://shop.example/missing');
    const failure = await fetch('https://shop.example/refused').catch((e) => [e.name, e.code]);
    const slow = await fetch('https://shop.example/slow', { timeout: 10 }).catch((e) => e.type);
    const controller = new AbortController(); setTimeout(() => controller.abort(), 5);
    const aborted = await fetch('https://shop.example/slow', { signal: controller.signal }).catch((e) => e.name);
    const unpacked = await fetch('https://shop.example/gzip').then((r) => r.text());
    const bytes = await fetch('https://shop.example/large').then((r) => r.buffer());
    const { method, body: sent } = await posted.json();
    return [posted.status, posted.ok, posted.headers.get('content-type'), method, sent, form.body, form.headers['content-type'],
      (await redirected.json()).url, redirected.redirected, missing.status, await missing.json(), failure, slow, aborted, unpacked, bytes.length]`;
  assert.equal(await run(body), [
    200,
    true,
    'application/json',
    'POST',
    '{"a":1}',
    'a=b+c',
    'application/x-www-form-urlencoded;charset=UTF-8',
    'https://shop.example/echo?redirected',
    true,
    404,
    { reason: 'gone' },
    ['FetchError', 'ECONNREFUSED'],
    'request-timeout',
    'AbortError',
    'unpacked',
    200_000,
  ]);
});

test('given axios, when it calls, then answers, redirects and failures are as ever', async () => {
  const body = `
    const axios = require('axios');
    const client = axios.create({ baseURL: 'https://shop.example', headers: { 'X-Key': 'k' }, timeout: 300 });
    const got = await client.get('/echo', { params: { q: 'a b' }, auth: { username: 'u', password: 'p' } });
    const posted = await client.post('/echo', { a: 1 });
    const form = await axios.post('https://shop.example/echo', new URLSearchParams({ a: 'b' }));
    const redirected = await axios({ url: 'https://shop.example/redirect', method: 'get' });
    const missing = await client.get('/missing').catch((e) => [e.isAxiosError, e.code, e.response.status, e.response.data]);
    const refused = await client.get('/refused').catch((e) => [e.code, e.response === undefined]);
    const slow = await client.get('/slow', { timeout: 10 }).catch((e) => e.code);
    const unpacked = await client.get('/gzip', { responseType: 'text' });
    const bytes = await client.get('/large', { responseType: 'arraybuffer' });
    return [got.status, got.data.url, got.data.headers['x-key'], got.data.headers.authorization, posted.data.body,
      posted.data.headers['content-type'], form.data.body, redirected.data.url, missing, refused, slow, unpacked.data, bytes.data.length]`;
  assert.equal(await run(body), [
    200,
    'https://shop.example/echo?q=a+b',
    'k',
    'Basic dTpw',
    '{"a":1}',
    'application/json',
    'a=b',
    'https://shop.example/echo?redirected',
    [true, 'ERR_BAD_REQUEST', 404, { reason: 'gone' }],
    ['ECONNREFUSED', true],
    'ECONNABORTED',
    'unpacked',
    200_000,
  ]);
});

test.run();
