import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create, json, send, startProxying, stopProxying } from '#test/proxies/support/proxies.ts';
import type { Context, Sent } from '#test/proxies/support/proxies.ts';

const custom = suite<Context>('custom answers of transforms');

custom.before(async (context) => {
  Object.assign(context, await startProxying());
});
custom.after(stopProxying);
custom.before.each(({ destination }) => {
  destination.reset();
});

const throwing = (answer: object): { code: string } => ({
  code: `const { CustomHttpResponseError } = require('@basis-theory/basis-theory-reactor-formulas-sdk-js');
    module.exports = async () => { throw new CustomHttpResponseError(${JSON.stringify(answer)}); }`,
});

/** What somebody is answered whom a link has led there. */
async function open(context: Context, transforms: object): Promise<Sent> {
  const { key } = await create(context, { require_auth: false, ...transforms });
  return send(context, `/proxy?bt-proxy-key=${key}`);
}

const page = {
  status: 200,
  headers: {
    'Content-Type': 'text/html',
    'Service-Worker-Allowed': '/',
    'Cache-Control': 'public, max-age=9999',
    'X-Content-Type-Options': 'off',
    'Content-Security-Policy': "script-src 'self'",
    'Clear-Site-Data': '"*"',
    'Strict-Transport-Security': 'max-age=1',
    'BT-PROXY-DESTINATION-STATUS': '299',
    'BT-TRACE-ID': 'forged',
    RateLimit: '"global";r=999999;t=1',
    'RateLimit-Policy': '"global";q=999999;w=1',
    'Set-Cookie': ['a=1', 'b=2'],
    'Retry-After': '7',
    'X-Own': 'kept',
  },
  body: '<script>self.x = 1</script>',
};

custom(
  'given a transform that answers as a page of the service, then it speaks neither for the host nor for the service',
  async (context) => {
    for (const [transforms, status] of [
      [{ request_transform: throwing(page) }, null],
      [{ response_transform: throwing(page) }, '200'],
    ] as const) {
      const { headers, text, ...reply } = await open(context, transforms);
      assert.equal([reply.status, text], [200, page.body]);
      const told = (names: string[]) => names.map((name) => headers.get(name));
      assert.equal(
        told(['content-security-policy', 'cache-control', 'x-content-type-options', 'content-type']),
        ['sandbox', 'no-store', 'nosniff', 'text/html'],
      );
      assert.is(headers.get('bt-proxy-destination-status'), status);
      assert.equal(told(['service-worker-allowed', 'clear-site-data', 'strict-transport-security']), [
        null,
        null,
        null,
      ]);
      assert.is.not(headers.get('bt-trace-id'), 'forged');
      for (const limits of told(['ratelimit', 'ratelimit-policy'])) {
        assert.not.ok(limits?.includes('999999'), String(limits));
      }
      assert.equal(
        [headers.getSetCookie(), ...told(['retry-after', 'x-own'])],
        [['a=1', 'b=2'], '7', 'kept'],
      );
    }
  },
);

custom('given a custom answer that looks like a problem, then it goes out as it is', async (context) => {
  for (const body of [{ mine: true }, null]) {
    const headers = { 'Content-Type': 'application/problem+json', 'Cache-Control': 'public' };
    const reply = await open(context, { request_transform: throwing({ status: 409, headers, body }) });
    assert.equal([reply.status, reply.text], [409, JSON.stringify(body)]);
    assert.equal(
      [reply.headers.get('content-type'), reply.headers.get('cache-control')],
      ['application/problem+json', 'no-store'],
    );
  }
});

custom(
  'given a destination that answers with limits, then only those of the service are told',
  async (context) => {
    context.destination.answer = (response) => {
      response.writeHead(429, {
        ...json,
        RateLimit: '"a";r=999999;t=1',
        'RateLimit-Policy': '"a";q=999999;w=1',
        'Retry-After': '9',
      });
      response.end('{}');
    };
    const { headers, status } = await open(context, {});
    assert.equal([status, headers.get('retry-after')], [429, '9']);
    for (const name of ['ratelimit', 'ratelimit-policy']) {
      assert.not.ok(headers.get(name)?.includes('999999'), name);
    }
  },
);

custom.run();
