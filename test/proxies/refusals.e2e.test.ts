import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create, errorOf, post, send, startProxying, stopProxying } from '#test/proxies/support/proxies.ts';
import type { Context, Problem } from '#test/proxies/support/proxies.ts';
import { rawRequest } from '#test/proxies/support/rawRequest.ts';

const refusals = suite<Context>('refusals of proxies');

refusals.before(async (context) => {
  Object.assign(context, await startProxying());
});
refusals.after(stopProxying);
refusals.before.each(({ destination }) => {
  destination.reset();
});

/** What a GET with these lines of headers is refused with. */
async function refusalOf({ service }: Context, path: string, lines: string[]): Promise<Problem> {
  const key = `BT-API-KEY: ${service.keys.private}`;
  const text = await rawRequest(service, [
    `GET ${path} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    key,
    ...lines,
  ]);
  return errorOf({ text: text.slice(text.indexOf('\r\n\r\n') + 4) });
}

refusals('given two destinations, then neither is asked, and what is wanted is said', async (context) => {
  const { destination } = context;
  const one = await create(context);
  const other = await create(context);
  const url = `BT-PROXY-URL: ${destination.url}`;
  const key = `BT-PROXY-KEY: ${one.key}`;
  const severalKeys = 'BT-PROXY-KEY must be one key; the request has several, in its headers or its query';
  for (const [path, lines, detail] of [
    ['/proxy', [url, `${url}/other`], 'BT-PROXY-URL must be given once'],
    ['/proxy', [key, `BT-PROXY-KEY: ${other.key}`], severalKeys],
    [`/proxy?bt-proxy-key=${other.key}`, [key], severalKeys],
    [`/proxy?bt-proxy-key=${other.key}&BT-Proxy-Key=${one.key}`, [], severalKeys],
    ['/proxy', [key, url], 'BT-PROXY-URL must not be given together with BT-PROXY-KEY'],
    ['/proxy', [], 'BT-PROXY-URL must be given, with the URL of the destination; or BT-PROXY-KEY'],
    ['/proxy/a/./b', [url], "path must hold no segment . or .., since it stays below the destination's path"],
  ] as const) {
    const refused = await refusalOf(context, path, [...lines]);
    assert.equal([refused.status, refused.detail], [400, detail]);
  }
  assert.is(destination.seen.length, 0);
  const same = await send(context, `/proxy?bt-proxy-key=${one.key}`, {
    key: context.service.keys.private,
    headers: { 'BT-PROXY-KEY': one.key },
  });
  assert.is(same.status, 200);
});

refusals('given a fault in the body, then the detail says where, in a sentence', async (context) => {
  const sent = [`BT-PROXY-URL: ${context.destination.url}`, 'Content-Length: 2', '', '{}'];
  assert.is((await refusalOf(context, '/proxy', sent)).detail, 'GET and HEAD have no body.');
  const refused = errorOf(await post(context, '{"a": {{ x }}}'));
  assert.match(refused.detail, /^body must be valid JSON/);
  const number = errorOf(await post(context, '{"a": "{{ x }}", "b": 12345678901234567890}'));
  assert.match(number.detail, /^b must be a number that a double carries exactly/);
});

refusals(
  'given a method or path that is none, then that is told as other problems of proxies are',
  async (context) => {
    const { private: key } = context.service.keys;
    const method = await send(context, '/proxy/a', { method: 'PROPFIND', key });
    assert.equal([method.status, errorOf(method).status], [405, 405]);
    assert.is(method.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.ok(method.headers.get('allow')?.includes('PATCH'));
    const path = await send(context, '/proxy/%ff', { key });
    assert.equal([path.status, errorOf(path).detail], [400, 'path must be percent-encoded UTF-8']);
    const elsewhere = await context.service.call('PROPFIND', '/proxies');
    assert.equal([elsewhere.status, Object.keys(elsewhere.body).includes('proxy_error')], [405, false]);
  },
);

refusals('given a client over its limit, then that is told as other problems of proxies are', async () => {
  const limited = await startProxying({ environment: { HOLDFAST_RATE_LIMITS: 'global=3' } });
  try {
    const { service, destination } = limited;
    destination.answer = (response) => {
      response
        .writeHead(200, { RateLimit: '"forged";r=9;t=1', 'RateLimit-Policy': '"forged";q=9;w=1' })
        .end();
    };
    const init = { key: service.keys.private, headers: { 'BT-PROXY-URL': destination.url } };
    const passed = await send(limited, '/proxy', init);
    assert.match(passed.headers.get('ratelimit') ?? '', /^"global";r=2;t=\d+$/);
    assert.is(passed.headers.get('ratelimit-policy'), '"global";q=3;w=10');
    await send(limited, '/proxy', init);
    await send(limited, '/proxy', init);
    const refused = await send(limited, '/proxy', init);
    assert.equal([refused.status, errorOf(refused).title], [429, 'Too Many Requests']);
    assert.ok(refused.headers.get('retry-after'));
  } finally {
    await stopProxying(limited);
  }
});

refusals.run();
