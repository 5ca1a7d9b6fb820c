import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createToken, post, startProxying, stopProxying } from '#test/proxies/support/proxies.ts';
import type { Context } from '#test/proxies/support/proxies.ts';
import { rawRequest } from '#test/proxies/support/rawRequest.ts';

const headers = suite<Context>('headers through proxies');

headers.before(async (context) => {
  Object.assign(context, await startProxying());
});
headers.after(stopProxying);
headers.before.each(({ destination }) => {
  destination.reset();
});

headers('given tokens that hold line breaks, then no header can be made of them', async (context) => {
  const id = await createToken(context, { type: 'token', data: 'a\r\nX-Injected: 1' });
  const reply = await post(context, {}, { 'X-Token': `{{ ${id} }}` });
  assert.is(reply.status, 400);
  assert.not.ok(reply.text.includes('Injected'));
  assert.is(context.destination.seen.length, 0);
  const inQuery = await post(context, {}, {}, `/proxy?a=%7B%7B${id}%7D%7D`);
  assert.is(inQuery.status, 200);
  assert.is(context.destination.last().url, '/?a=a%0D%0AX-Injected%3A%201');
});

headers(
  'given headers of the connection and of the service, then the destination sees none',
  async (context) => {
    const { service, destination } = context;
    const answered = await rawRequest(
      service,
      [
        `POST /proxy HTTP/1.1`,
        'Host: vault.example',
        `BT-API-KEY: ${service.keys.private}`,
        `BT-PROXY-URL: ${destination.url}`,
        'BT-TRACE-ID: x',
        'BT-CLIENT-USER-AGENT: {}',
        'Connection: close, X-Nominated',
        'X-Nominated: 1',
        'Keep-Alive: 1',
        'Proxy-Authorization: Basic eA==',
        'TE: trailers',
        'Upgrade: h2c',
        'X.Dotted: 1',
        'X-Kept: 1',
        'Cookie: a=b',
        'Content-Type: application/json',
        'Content-Length: 2',
      ],
      '{}',
    );
    assert.ok(answered.startsWith('HTTP/1.1 200'), answered);
    const { headers: seen } = destination.last();
    const expected = [
      'accept',
      'accept-encoding',
      'cdn-loop',
      'connection',
      'content-length',
      'content-type',
    ];
    assert.equal(Object.keys(seen).sort(), [...expected, 'cookie', 'host', 'user-agent', 'x-kept'].sort());
    assert.is(seen.host, new URL(destination.url).host);
    assert.not.ok(JSON.stringify(seen).includes('key_'));
  },
);

headers('given requests of two lengths, then none is smuggled', async (context) => {
  const { service, destination } = context;
  for (const framing of [
    ['Content-Length: 4', 'Transfer-Encoding: chunked'],
    ['Content-Length: 4', 'Content-Length: 5'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding: chunked, identity'],
  ]) {
    const named = [`BT-API-KEY: ${service.keys.private}`, `BT-PROXY-URL: ${destination.url}`];
    const lines = ['POST /proxy HTTP/1.1', 'Host: x', ...named, ...framing];
    const text = await rawRequest(service, lines, '0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.ok(text.startsWith('HTTP/1.1 400'), `${framing.join()}: ${text.slice(0, 40)}`);
  }
  assert.is(destination.seen.length, 0);
});

headers(
  'given an answer that speaks for the host, then that is left out, and the rest passes',
  async (context) => {
    context.destination.answer = (response) => {
      response.writeHead(200, {
        'Content-Type': 'text/html',
        'Set-Cookie': ['a=1', 'b=2'],
        'Content-Encoding': 'gzip',
        'Cache-Control': 'public, max-age=9999',
        'Strict-Transport-Security': 'max-age=1',
        'Service-Worker-Allowed': '/',
        'Alt-Svc': 'h2="elsewhere.example:443"',
        'Clear-Site-Data': '"*"',
        'BT-Trace-Id': 'forged',
        'BT-Proxy-Destination-Status': '999',
        'X-Odd!name': '1',
        Connection: 'X-Secret',
        'X-Secret': '1',
      });
      response.end(gzipSync('<script>x</script>'));
    };
    const { headers: answered, text } = await post(context, {});
    assert.is(text, '<script>x</script>');
    assert.equal(answered.getSetCookie(), ['a=1', 'b=2']);
    assert.equal(
      [
        'content-encoding',
        'cache-control',
        'content-security-policy',
        'bt-proxy-destination-status',
        'x-odd!name',
      ].map((name) => answered.get(name)),
      ['gzip', 'no-store', 'sandbox', '200', '1'],
    );
    for (const name of [
      'strict-transport-security',
      'service-worker-allowed',
      'alt-svc',
      'clear-site-data',
      'x-secret',
    ]) {
      assert.is(answered.get(name), null, name);
    }
    assert.is.not(answered.get('bt-trace-id'), 'forged');
  },
);

headers.run();
